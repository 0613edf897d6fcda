//! Clustered web-like graph: pages of a host have neighbouring ids and link among themselves.
//!
//! A page draws its links from three places: from the links of a page shortly before it (`copy`, the
//! template of a site), from its own host (`local`, nearby pages and the front pages of the host), or from
//! anywhere near, where popular pages attract most. The out-degrees follow a power law. A symmetric web
//! takes these links as edges; local ones then lead to earlier pages only, so that no edge is found from
//! both ends. `stages` confines links between hosts to a line of ranges, which gives the depth of a crawl.

use super::parts::degrees::DegreeLaw;
use super::parts::distinct_rows::{self, Popularity};
use super::parts::edge_set::{self, EdgeSet, key};
use super::parts::groups::{Groups, member};
use super::parts::keys::{self, SimpleSize};
use super::parts::pairing::Stages;
use super::parts::size::SEED;
use super::random::Random;
use super::{Generator, Parameter, Parameters};
use crate::csr::{Csr, Vertex};
use crate::graph::Graph;
use crate::progress::Progress;
use std::ops::Range;

pub(super) const GENERATOR: Generator = Generator {
    name: "web",
    summary: "hosts of neighbouring ids, copied links, popular pages; exact arcs and largest degree",
    parameters: &[
        keys::vertices("65536"),
        keys::arcs("1048576"),
        keys::max_degree("4096"),
        Parameter::integer("min_degree", (0, 1 << 22), "1", "the fewest links that a page draws"),
        Parameter::real(
            "shift",
            (-0.999, 1e6),
            "0",
            "flattens the law at small degrees: 0 power law, large exponential",
        ),
        keys::direction("directed"),
        Parameter::integer("host", (1, 1 << 30), "64", "average pages of a host"),
        Parameter::real("local", (0.0, 1.0), "0.95", "fraction of own links that stay within the host"),
        Parameter::real("copy", (0.0, 0.95), "0.5", "fraction of links copied from a page shortly before"),
        Parameter::real("skew", (1.0, 16.0), "2", "how much popular pages attract; 1: all alike"),
        keys::STAGES,
        SEED,
    ],
    build: generate,
};

const HOSTS: u64 = 1 << 40;
const DEGREES: u64 = HOSTS + 1;
const SETTLING: u64 = HOSTS + 2;
/// Hosts are handed out together until they have this many pages.
const GROUP: u64 = 1 << 12;
/// How far back a template is looked for.
const TEMPLATE_WINDOW: u64 = 4;
/// How much the front pages of a host attract.
const FRONT_SKEW: f64 = 3.0;

struct Web {
    size: SimpleSize,
    symmetric: bool,
    hosts: Groups,
    local: f64,
    copy: f64,
    popularity: Popularity,
    seed: u64,
}

fn generate(parameters: &Parameters, _: &dyn Progress) -> Result<Graph, String> {
    let symmetric = parameters.word("direction") == "symmetric";
    let size = SimpleSize::of(parameters, symmetric)?;
    let seed = parameters.integer("seed");
    let stages = Stages::new(size.vertices, parameters.integer("stages"));
    let web = Web {
        size,
        symmetric,
        hosts: Groups::new(size.vertices, parameters.integer("host"), &mut Random::new(seed, HOSTS)),
        local: parameters.real("local"),
        copy: parameters.real("copy"),
        popularity: Popularity { stages, skew: parameters.real("skew"), scattered: true },
        seed,
    };
    let law = web.law(parameters.integer("min_degree"), parameters.real("shift"));
    let drawn = if symmetric { "half of the arcs are drawn as links: " } else { "" };
    let mut degrees = law.sequence().map_err(|problem| format!("{drawn}{problem}"))?;
    Random::new(seed, DEGREES).shuffle(&mut degrees);
    let links = web.links(&degrees);
    if symmetric { web.undirected(links) } else { Ok(Graph::directed(links)) }
}

impl Web {
    /// The law of the links that pages draw. In a symmetric web they are half of a page's degree on
    /// average, and the largest degrees come from popularity.
    fn law(&self, min: u64, shift: f64) -> DegreeLaw {
        let SimpleSize { vertices, arcs, max_degree } = self.size;
        if !self.symmetric {
            return DegreeLaw { vertices, sum: arcs, min, max: max_degree, shift };
        }
        let sum = arcs / 2;
        let max = (max_degree / 2).max(sum.div_ceil(vertices)).min(sum);
        DegreeLaw { vertices, sum, min, max, shift }
    }

    fn links(&self, degrees: &[u32]) -> Csr {
        let bounds = self.hosts.bounds(GROUP);
        distinct_rows::by_group(degrees, &bounds, self.seed, |random, group, targets| {
            self.fill_group(degrees, random, group, targets);
        })
    }

    fn fill_group(&self, degrees: &[u32], random: &mut Random, group: Range<u64>, targets: &mut [Vertex]) {
        let first = group.start;
        let mut starts = vec![0];
        let mut scratch = Vec::new();
        let mut host = self.hosts.of(first);
        for page in group {
            if page >= host.end {
                host = self.hosts.of(page);
            }
            let start = starts[(page - first) as usize];
            let end = start + degrees[page as usize] as usize;
            starts.push(end);
            let (before, after) = targets.split_at_mut(start);
            let back = (page - host.start).min(TEMPLATE_WINDOW);
            let template = if back == 0 {
                &[][..]
            } else {
                let from = (page - first - 1 - random.below(back)) as usize;
                &before[starts[from]..starts[from + 1]]
            };
            let row = &mut after[..end - start];
            distinct_rows::fill_distinct(
                row,
                page as Vertex,
                self.size.vertices,
                random,
                &mut scratch,
                |random| self.link(page, &host, template, random),
            );
        }
    }

    fn link(&self, page: u64, host: &Range<u64>, template: &[Vertex], random: &mut Random) -> Vertex {
        if !template.is_empty() && random.unit() < self.copy {
            return template[random.below(template.len() as u64) as usize];
        }
        let pages = host.start..if self.symmetric { page } else { host.end };
        if pages.end > pages.start + u64::from(!self.symmetric) && random.unit() < self.local {
            return self.neighbour(page, &pages, random);
        }
        self.popularity.draw(page as Vertex, random)
    }

    /// A page of the same host: half of the time a front page, otherwise one nearby.
    fn neighbour(&self, page: u64, pages: &Range<u64>, random: &mut Random) -> Vertex {
        if random.bits() & 1 == 0 {
            return member(pages, FRONT_SKEW, random) as Vertex;
        }
        let backwards = page > pages.start && (page + 1 >= pages.end || random.bits() & 1 == 0);
        let place = if backwards {
            page - 1 - (member(&(0..page - pages.start), FRONT_SKEW, random))
        } else {
            member(&(page + 1..pages.end), FRONT_SKEW, random)
        };
        place as Vertex
    }

    fn undirected(&self, links: Csr) -> Result<Graph, String> {
        let SimpleSize { vertices, arcs, max_degree } = self.size;
        let mut keys = Vec::with_capacity(arcs as usize / 2);
        keys.extend(links.arcs().map(|(a, b)| key(a, b)));
        drop(links);
        let mut set = EdgeSet::from_keys(keys);
        let inside = |random: &mut Random| {
            let page = random.below(vertices);
            (page as Vertex, member(&self.hosts.of(page), FRONT_SKEW, random) as Vertex)
        };
        let random = &mut Random::new(self.seed, SETTLING);
        edge_set::settle(&mut set, (vertices, arcs / 2, max_degree), random, inside, |random, hub| {
            let stages = self.popularity.stages;
            member(&stages.range(stages.near(hub, random)), 1.0, random) as Vertex
        })?;
        set.into_graph(vertices)
    }
}
