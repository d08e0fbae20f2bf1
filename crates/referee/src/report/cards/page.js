for (const table of document.querySelectorAll("table.class")) {
  const heads = [...table.tHead.rows[0].cells];
  const text = (row, column) => row.cells[column].textContent;
  heads.forEach((head, column) => head.firstChild.addEventListener("click", () => {
    const rows = [...table.tBodies[0].rows];
    const numbers = rows.every((row) => !isNaN(text(row, column)));
    // Numbers begin with the largest, names with the first.
    const up = head.ariaSort === "none" ? !numbers : head.ariaSort !== "ascending";
    heads.forEach((other) => other.ariaSort = "none");
    head.ariaSort = up ? "ascending" : "descending";
    const compare = (a, b) => numbers ? text(a, column) - text(b, column) : text(a, column).localeCompare(text(b, column));
    rows.sort((a, b) => up ? compare(a, b) : compare(b, a));
    table.tBodies[0].append(...rows);
  }));
}
