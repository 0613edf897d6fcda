//! What a graph looks like: degrees, loops and duplicates, components, depth, diameter, taxonomy.
