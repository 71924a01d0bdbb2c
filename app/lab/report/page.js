// SPDX-License-Identifier: BSD-3-Clause
// Life in the page of `fathom report`: tables sorted by a click on a heading, charts by Chart.js in
// the reader's colors. Without it the tables hold every number all the same.
'use strict';
(() => {
  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const short = (v) => {
    for (const [size, letter] of [[1e9, ' G'], [1e6, ' M'], [1e4, ' k']]) {
      if (Math.abs(v) >= size) return Number((v / (size === 1e4 ? 1e3 : size)).toPrecision(3)) + letter;
    }
    return v !== 0 && Math.abs(v) < 1e-3 ? v.toExponential(0) : String(Number(v.toPrecision(3)));
  };
  // On logarithmic axes 1, 2 and 5 of each decade.
  const tick = (v) => {
    const lead = Math.round(v / 10 ** Math.floor(Math.log10(v) + 1e-9));
    return [1, 2, 5].includes(lead) ? short(v) : null;
  };

  // Tables -----------------------------------------------------------------------------------------
  const keyOf = (row, column) => {
    const cell = row.cells[column];
    if (cell.hasAttribute('data-v')) {
      const v = cell.getAttribute('data-v');
      return v === '' ? NaN : Number(v);
    }
    return cell.textContent;
  };
  const compare = (a, b) => {
    if (typeof a === 'number' && typeof b === 'number') {
      if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
      return a - b;
    }
    return String(a).localeCompare(String(b), undefined, {numeric: true});
  };
  const sortBy = (heading) => {
    const table = heading.closest('table'), body = table.tBodies[0];
    const down = heading.getAttribute('aria-sort') === 'ascending';
    const missing = (v) => typeof v === 'number' && Number.isNaN(v);
    const rows = Array.from(body.rows, (row) => ({row, key: keyOf(row, heading.cellIndex)}));
    rows.sort((a, b) => {
      if (missing(a.key) || missing(b.key)) return missing(a.key) - missing(b.key);
      return down ? compare(b.key, a.key) : compare(a.key, b.key);
    });
    for (const other of table.querySelectorAll('th[aria-sort]')) other.removeAttribute('aria-sort');
    heading.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    body.append(...rows.map((r) => r.row));
  };
  document.addEventListener('click', (event) => {
    const button = event.target.closest('table.sortable th button');
    if (button) sortBy(button.closest('th'));
  });

  // Charts -----------------------------------------------------------------------------------------
  const specs = JSON.parse(document.getElementById('charts').textContent);
  const drawn = [];
  const strokes = [[], [9, 5], [2, 3], [9, 4, 2, 4]];
  const points = ['circle', 'triangle', 'rect'];  // colors come round after eight lines
  const lineOf = (s) => {
    const c = color('--c' + (s.color % 8));
    return {
      label: s.name, data: s.x.map((x, i) => ({x, y: s.y[i]})), borderColor: c, backgroundColor: c,
      borderDash: s.paper ? [6, 4] : strokes[s.run % 4], borderWidth: 2, pointRadius: s.paper ? 4 : 3,
      pointStyle: s.paper ? 'rectRot' : points[Math.floor(s.color / 8) % 3], spanGaps: true,
    };
  };
  const barsOf = (s) => ({
    label: s.name, data: s.y, borderWidth: 0,
    backgroundColor: s.colors.length ? s.colors.map((k) => color('--k' + k))
      : s.paper ? color('--c7') : color('--c' + (s.color % 8)),
    minBarLength: s.colors.length ? 3 : 0,  // the fastest stands at 0
    categoryPercentage: s.colors.length ? 1 : 0.8, barPercentage: s.colors.length ? 1 : 0.92,
  });
  const axis = (title, log, linear) => ({
    type: log ? 'logarithmic' : linear, title: {display: title !== '', text: title},
    grid: {color: color('--line')}, ticks: {callback: log ? tick : short, maxTicksLimit: 8},
  });
  const configOf = (spec) => {
    const lines = spec.kind === 'lines', many = spec.labels.length > 40;
    const x = lines ? axis(spec.xTitle, spec.logX, 'linear')
      : {display: !many, grid: {display: false}, ticks: {autoSkip: false, maxRotation: 60}};
    const y = axis(spec.yTitle, spec.logY, 'linear');
    if (!spec.logY) y.beginAtZero = true;
    const legend = {labels: {boxWidth: 14, boxHeight: 8, usePointStyle: lines}, position: 'bottom',
      display: spec.series.length > 1 || spec.classes.length > 0};
    // Lines of the same name in several runs have one entry.
    legend.labels.filter = (item) =>
      item.datasetIndex === spec.series.findIndex((other) => other.name === item.text);
    if (spec.classes.length) {
      legend.labels.filter = undefined;
      legend.onClick = () => {};
      legend.labels.generateLabels = () => spec.classes.map((text, k) => ({
        text, fillStyle: color('--k' + k), strokeStyle: 'transparent', fontColor: color('--ink')}));
    }
    return {
      type: lines ? 'line' : 'bar',
      data: {labels: lines ? undefined : spec.labels, datasets: spec.series.map(lines ? lineOf : barsOf)},
      options: {animation: false, responsive: true, maintainAspectRatio: false,
        interaction: {mode: lines ? 'nearest' : 'index', intersect: false}, plugins: {legend}, scales: {x, y}},
    };
  };
  const draw = () => {
    while (drawn.length) drawn.pop().destroy();
    Chart.defaults.color = color('--soft');
    Chart.defaults.borderColor = color('--line');
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    specs.forEach((spec, i) => drawn.push(new Chart(document.getElementById('chart' + i), configOf(spec))));
  };
  draw();
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  window.addEventListener('beforeprint', () => {
    for (const closed of document.querySelectorAll('details:not([open])')) closed.open = true;
    for (const chart of drawn) chart.resize();
  });
  window.addEventListener('afterprint', () => { for (const chart of drawn) chart.resize(); });
})();
