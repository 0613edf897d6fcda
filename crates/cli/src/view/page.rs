//! A page of titled sections with aligned rows, and tables with aligned columns.

/// Width of the labels, with the gap after them.
const LABEL_WIDTH: usize = 22;

/// Text under construction.
#[derive(Debug, Default)]
pub(crate) struct Page {
    text: String,
}

impl Page {
    /// An empty page.
    pub(crate) fn new() -> Page {
        Page::default()
    }

    /// Begins a section.
    pub(crate) fn section(&mut self, title: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.line(title);
    }

    /// A labelled value.
    pub(crate) fn row(&mut self, label: &str, value: impl AsRef<str>) {
        // A label that fills its column is set apart all the same.
        let apart = if label.chars().count() < LABEL_WIDTH { "" } else { " " };
        self.line(&format!("  {label:LABEL_WIDTH$}{apart}{}", value.as_ref()));
    }

    /// A line as it stands, without blanks at its end. An end of a line inside of it, which a name of a machine, a file
    /// or a kernel may have, is shown as its escape: nobody's name makes lines that look like ours.
    pub(crate) fn line(&mut self, line: &str) {
        self.text.push_str(&line.trim_end().replace('\n', "\\n"));
        self.text.push('\n');
    }

    /// Rows of cells under a head; the columns in `left` are set flush left, the others flush right.
    pub(crate) fn table(&mut self, head: &[&str], left: &[usize], rows: &[Vec<String>]) {
        let width = |column: usize| {
            let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
            cells.chain([head[column].chars().count()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..head.len()).map(width).collect();
        let head: Vec<String> = head.iter().map(|cell| cell.to_string()).collect();
        for row in [&head].into_iter().chain(rows) {
            let mut line = String::from(" ");
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                match left.contains(&column) {
                    true => line += &format!(" {cell:<width$} "),
                    false => line += &format!(" {cell:>width$} "),
                }
            }
            self.line(&line);
        }
    }

    /// The finished text.
    pub(crate) fn finish(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_ends_of_lines_makes_one_line() {
        let mut page = Page::new();
        page.row("machine", "fermi\n  verified              yes");
        page.table(&["kernel"], &[0], &[vec!["k\nk2".into()]]);
        let text = page.finish();
        assert_eq!(text.lines().count(), 3, "{text}");
        assert!(text.contains("fermi\\n  verified") && text.contains("k\\nk2"), "{text}");
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut page = Page::new();
        let rows = [vec!["a".into(), "1,000".into()], vec!["long".into(), "7".into()]];
        page.table(&["name", "n"], &[0], &rows);
        assert_eq!(page.finish(), "  name      n\n  a     1,000\n  long      7\n");
    }
}
