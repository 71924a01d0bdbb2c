// SPDX-License-Identifier: BSD-3-Clause
// The page of `fathom report`, built from the rows of bench files: the papers' tables beside our
// numbers, everything that was measured, a comparison, and charts by Chart.js in the reader's colors.
// Tables are sorted by a click on a heading. Numbers that do not exist are null throughout.
'use strict';
(() => {
  const {runs, benches, sections, comparison} = JSON.parse(document.getElementById('data').textContent);
  const has = (v) => v !== null && v !== undefined;
  const unique = (list) => [...new Set(list)];
  const esc = (text) => String(text).replace(/[&<>"]/g, (c) => ({'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'})[c]);

  // Numbers ----------------------------------------------------------------------------------------
  /** Three significant digits: "0.0125", "12.5", "1250", "3.10e-06". */
  const shortNumber = (v) => {
    if (!has(v)) return '–';
    const size = Math.abs(v);
    if (size < 1e7 && Number.isInteger(v)) return v.toFixed(0);
    if (size < 1e-4 || size >= 1e7) return v.toExponential(2).replace(/e([+-])(\d)$/, 'e$10$2');
    return v.toFixed(Math.max(0, 2 - Math.floor(Math.log10(size))));
  };
  /** A number of a paper, exactly as printed where that is short. */
  const printedNumber = (v) => String(v).length <= 7 ? String(v) : shortNumber(v);
  const metricNumber = (v) => {
    for (const [size, letter] of [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']])
      if (v >= size) return (v / size).toFixed(2) + ' ' + letter;
    return Number(v.toPrecision(3)) + ' ';
  };
  /** A logarithmic change as people read it: "+20.0 %". */
  const percentText = (change) => {
    const percent = 100 * Math.expm1(change);
    return (percent < 0 ? '' : '+') + percent.toFixed(1) + ' %';
  };
  /** The value below which the share `p` of the sorted values lies. */
  const percentile = (sorted, p) => {
    const at = p * (sorted.length - 1), low = Math.floor(at);
    return low + 1 < sorted.length ? sorted[low] + (at - low) * (sorted[low + 1] - sorted[low]) : sorted[low];
  };
  /** The value of a text that is a number as a whole. */
  const numberOf = (text) => /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : null;

  // Cells ------------------------------------------------------------------------------------------
  const heading = (text, kind = '') =>
    `<th scope="col"${kind && ` class="${kind}"`}><button type="button">${esc(text)}</button></th>`;
  const headings = (list) => '<tr>' + list.map((h) => Array.isArray(h) ? heading(h[0], 'n') : heading(h)).join('') + '</tr>';
  /** A cell that shows `html` and is sorted by `value`. */
  const numberCell = (value, html) => `<td class="n" data-v="${has(value) ? value : ''}">${html}</td>`;
  const textCell = (text) => `<td>${esc(text)}</td>`;
  /** A number with a bar behind it, as wide as its share of the largest. */
  const barCell = (value, html, share) =>
    `<td class="n bar" data-v="${value}" style="--share:${(100 * Math.min(1, Math.max(0, share))).toFixed(1)}%">${html}</td>`;
  const sortableTable = (caption, head, body) =>
    `<div class="scroll" tabindex="0"><table class="sortable"><caption>${esc(caption)}</caption>
<thead>${head}</thead>\n<tbody>\n${body}</tbody></table></div>\n`;
  const dot = (run) => `<i class="dot c${run % 8}" title="${esc(runs[run].name)}"></i>`;
  const anchor = (name) => name.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-/, '');

  // A paper's table with the numbers of the runs ---------------------------------------------------
  /** [group, rest] of "Station: transfer"; without a colon there is no group. */
  const grouped = (name) => {
    const colon = name.indexOf(': ');
    return colon < 0 ? ['', name] : [name.slice(0, colon), name.slice(colon + 2)];
  };
  /** Rows and columns are the paper's, then ours; of several cases in one cell the first counts. */
  const fillGrid = (table) => {
    const cells = runs.map((run) => run.rows.flatMap((row) => row.paper.filter((cell) => cell.table === table.name)));
    const columns = unique([...table.columns, ...cells.flat().map((cell) => cell.column)]);
    if (columns.every((column) => has(numberOf(column)))) columns.sort((a, b) => numberOf(a) - numberOf(b));
    const names = unique([...table.rows.map((row) => row.name), ...cells.flat().map((cell) => cell.row)]);
    const printedAt = (name, column) => {
      const row = table.rows.find((other) => other.name === name);
      return row?.values[table.columns.indexOf(column)] ?? null;
    };
    const ours = cells.map((list) => {
      const byPlace = new Map();
      for (const cell of list) {
        const place = JSON.stringify([cell.row, cell.column]);
        if (!has(byPlace.get(place))) byPlace.set(place, cell.ours);
      }
      return byPlace;
    });
    const rows = names.map((name, r) => {
      const printed = r < table.rows.length;
      return {name, printed, cells: columns.map((column) => ({
        paper: printedAt(printed ? name : table.yardstick, column),
        ours: ours.map((byPlace) => byPlace.get(JSON.stringify([name, column])) ?? null),
      }))};
    });
    const all = rows.flatMap((row) => row.cells.map((cell) => ({printed: row.printed && has(cell.paper), measured: cell.ours.some(has)})));
    return {table, columns, rows, printed: all.filter((cell) => cell.printed).length,
      measured: all.filter((cell) => cell.printed && cell.measured).length, any: all.some((cell) => cell.measured)};
  };
  const gridHead = ({table, columns}) => {
    const parts = columns.map(grouped);
    const below = '<tr>' + heading(table.rowsAre) + parts.map(([, rest]) => heading(rest, 'n')).join('') + '</tr>';
    if (parts.every(([group]) => group === '')) return below;
    const groups = [];
    for (const [group] of parts) {
      if (groups.length === 0 || groups.at(-1).group !== group) groups.push({group, span: 0});
      ++groups.at(-1).span;
    }
    return '<tr class="groups"><th></th>' + groups.map(({group, span}) =>
      `<th scope="colgroup" colspan="${span}">${esc(group)}</th>`).join('') + '</tr>' + below;
  };
  /** Our numbers, each with how many times the paper's it is, and the paper's below. */
  const gridCell = ({paper, ours}) => {
    const ratio = (v) => has(paper) && paper !== 0 ? `<span class="ratio">${shortNumber(v / paper)} ×</span>` : '';
    const inside = ours.map((v, run) =>
      has(v) ? `<span class="ours">${runs.length > 1 ? dot(run) : ''}${shortNumber(v)}</span>${ratio(v)}` : '').join('');
    return numberCell(ours.find(has) ?? paper, (inside || '<span class="none" title="not measured">–</span>') +
      (has(paper) ? `<span class="paper">paper ${printedNumber(paper)}</span>` : ''));
  };
  const gridTable = (grid) => {
    const body = grid.rows.map((row) => {
      const missing = row.cells.some((cell) => cell.ours.some(has)) ? '' : '<span class="none">not measured</span>';
      return `<tr${row.printed ? '' : ' class="own"'}><th scope="row">${esc(row.name)}${missing}</th>` +
        row.cells.map(gridCell).join('') + '</tr>\n';
    }).join('');
    const {unit, device} = grid.table;
    return sortableTable((unit ? `Ours in ${unit}` : 'Ours') + ", times the paper's, the paper's" + (device ? ` (${device})` : ''),
      gridHead(grid), body);
  };

  // Figures of variants ----------------------------------------------------------------------------
  /** [{id, ms}] of a row of the grid in a run. */
  const variantsOf = (grid, row, run) => grid.columns.map((id, i) => ({id, ms: row.cells[i].ours[run]})).filter((v) => has(v.ms));
  const forVariants = (grid, body) =>
    grid.rows.flatMap((row) => runs.flatMap((_, run) => {
      const variants = variantsOf(grid, row, run);
      return variants.length ? body(row, run, variants) : [];
    }));
  const extremes = (variants) => [
    variants.reduce((a, b) => b.ms < a.ms ? b : a), variants.reduce((a, b) => b.ms > a.ms ? b : a)];
  const stripTable = (grid) => {
    const body = forVariants(grid, (row, run, variants) => {
      const [fastest, slowest] = extremes(variants), ratio = slowest.ms / fastest.ms;
      return '<tr>' + textCell(row.name) + `<td>${dot(run)}${esc(runs[run].name)}</td>` + numberCell(variants.length, variants.length) +
        numberCell(fastest.ms, shortNumber(fastest.ms)) + textCell(fastest.id) + numberCell(slowest.ms, shortNumber(slowest.ms)) +
        textCell(slowest.id) + numberCell(ratio, shortNumber(ratio)) + '</tr>\n';
    }).join('');
    return body && sortableTable(grid.table.title, headings([grid.table.rowsAre, 'device', ['variants'], ['fastest, ms'], 'which',
      ['slowest, ms'], 'which', ['slowest / fastest']]), body);
  };
  /** What each choice costs against the first value of its part: pairs that differ in nothing else. */
  const choiceEffects = (variants) => {
    const byId = new Map(variants.map(({id, ms}) => [id, ms])), ids = [...byId.keys()].map((id) => id.split('.'));
    const effects = [];
    for (let part = 0; part < Math.max(...ids.map((id) => id.length)); ++part) {
      const [against, ...values] = unique(ids.filter((id) => part < id.length).map((id) => id[part]));
      for (const value of values) {
        const ratios = ids.filter((id) => id[part] === value).map((id) => byId.get(id.join('.')) / byId.get(id.with(part, against).join('.')))
          .filter((ratio) => Number.isFinite(ratio)).sort((a, b) => a - b);
        if (ratios.length) effects.push({part, value, against, ratios});
      }
    }
    return effects;
  };
  const choicesTable = (grid) => {
    const body = forVariants(grid, (row, run, variants) => choiceEffects(variants).map(({part, value, against, ratios}) => {
      const [p10, median, p90] = [0.1, 0.5, 0.9].map((p) => percentile(ratios, p));
      return '<tr>' + textCell(row.name) + `<td>${dot(run)}${esc(runs[run].name)}</td>` +
        textCell(grid.table.parts[part] ?? `part ${part + 1}`) + textCell(`${value} against ${against}`) +
        numberCell(ratios.length, ratios.length) + [median, p10, p90].map((v) => numberCell(v, shortNumber(v))).join('') + '</tr>\n';
    })).join('');
    return body && sortableTable('What a choice costs: pairs of variants that differ in nothing else', headings([grid.table.rowsAre,
      'device', 'choice', 'which', ['pairs'], ['ratio of times'], ['p10'], ['p90']]), body);
  };

  // Everything that a bench measured ---------------------------------------------------------------
  const keyOfRow = (row) => JSON.stringify([row.workload, row.label, row.size, [...row.settings].sort()]);
  const settingOf = (row, name) => row.settings.find((setting) => setting[0] === name)?.[1];
  /** The names of settings whose values differ among rows, sorted. */
  const varyingSettings = (rows) => unique(rows.flatMap((row) => row.settings.map(([name]) => name))).sort()
    .filter((name) => unique(rows.map((row) => settingOf(row, name)).filter(has)).length > 1);
  const rowsOf = (run, bench) => run.rows.filter((row) => row.bench === bench);
  /** The same case in all runs, an array by run; equal rows of a run stay apart. */
  const casesOf = (bench) => {
    const cases = new Map();
    runs.forEach((run, r) => {
      const seen = new Map();
      for (const row of rowsOf(run, bench)) {
        const key = keyOfRow(row), count = seen.get(key) ?? 0;
        seen.set(key, count + 1);
        const place = key + count;
        if (!cases.has(place)) cases.set(place, runs.map(() => null));
        cases.get(place)[r] = row;
      }
    });
    return [...cases.values()];
  };
  const timeCell = (row, first) => {
    if (!row?.time) return numberCell(null, '<span class="none">–</span>');
    const {median, p10, p90, clock} = row.time;
    const ratio = row !== first && first?.time?.median > 0 ?
      ` <span class="ratio">${shortNumber(median / first.time.median)} ×</span>` : '';
    return numberCell(median, `${shortNumber(median)} <span class="spread">${shortNumber(p10)}–${shortNumber(p90)}` +
      `${clock ? ', clock' : ''}</span>${ratio}`);
  };
  const measurementTable = (bench) => {
    const cases = casesOf(bench), rows = cases.flat().filter(has);
    if (cases.length === 0) return '';
    const any = (test) => rows.some(test);
    const settings = varyingSettings(rows), values = unique(rows.flatMap((row) => row.values.map(([name]) => name)));
    const maxMemory = Math.max(...rows.map((row) => row.memory));
    const empty = numberCell(null, '');
    const columns = [['workload', (row) => textCell(row.workload)]];
    if (any((row) => row.label)) columns.push(['case', (row) => textCell(row.label)]);
    if (any((row) => row.size)) columns.push([['size'], ({size}) => size ? numberCell(size[0] * size[1], `${size[0]} x ${size[1]}`) : numberCell(0, '')]);
    for (const name of settings) columns.push([name, (row) => textCell(settingOf(row, name) ?? '')]);
    if (any((row) => row.time))
      runs.forEach((run, r) => columns.push([[runs.length > 1 ? `ms, ${run.name}` : 'ms, median and p10–p90'],
        (_, byRun) => timeCell(byRun[r], byRun[0])]));
    if (any((row) => row.work > 0 && row.time)) columns.push([[rows[0].unit + '/s'], (row) => {
      const rate = row.time?.median > 0 ? row.work / (row.time.median * 1e-3) : 0;
      return rate > 0 ? numberCell(rate, metricNumber(rate)) : empty;
    }]);
    if (any((row) => row.share > 0)) columns.push([['% of copy'],
      ({share}) => share > 0 ? barCell(share, shortNumber(100 * share), share) : empty]);
    if (any((row) => row.memory > 0)) columns.push([['MiB'],
      ({memory}) => barCell(memory, shortNumber(memory / 1048576), maxMemory > 0 ? memory / maxMemory : 0)]);
    for (const name of values) columns.push([[name], (row) => {
      const value = row.values.find((v) => v[0] === name)?.[1];
      return has(value) ? numberCell(value, shortNumber(value)) : empty;
    }]);
    columns.push(['checked', ({checked}) => textCell(checked)]);
    return sortableTable(`${bench}: ${cases.length} cases`, headings(columns.map(([title]) => title)), cases.map((byRun) =>
      '<tr>' + columns.map(([, cell]) => cell(byRun.find(has), byRun)).join('') + '</tr>\n').join(''));
  };

  // Charts as data ---------------------------------------------------------------------------------
  const charts = [];
  /** Adds charts to the page's list and returns their canvases. */
  const canvases = (list) => list.length === 0 ? '' : '<div class="charts">\n' + list.map((chart) => {
    charts.push(chart);
    return `<figure${chart.wide ? ' class="wide"' : ''}><figcaption>${esc(chart.title)}</figcaption><div class="canvas" ` +
      `style="height:${chart.height ?? 280}px"><canvas id="chart${charts.length - 1}" role="img" aria-label="${esc(chart.title)}">` +
      '</canvas></div></figure>\n';
  }).join('') + '</div>\n';
  const spansDecade = (series, along) => {
    const values = series.flatMap((s) => s[along]).filter((v) => v > 0);
    return values.reduce((a, b) => Math.max(a, b), 0) > 10 * values.reduce((a, b) => Math.min(a, b), Infinity);
  };
  /** Logarithmic where values span more than a decade. */
  const scaled = (chart) => ({...chart, logX: spansDecade(chart.series, 'x'), logY: spansDecade(chart.series, 'y')});
  const bars = (chart) => ({kind: 'bars', xTitle: '', yTitle: '', ...chart});

  /** A chart per group of rows, one line per row and run, the paper's dashed. */
  const curveCharts = (grid) => {
    const x = grid.columns.map(numberOf), byGroup = new Map();
    for (const row of grid.rows) {
      const [group, name] = grouped(row.name);
      if (!byGroup.has(group)) byGroup.set(group, []);
      const series = byGroup.get(group), color = series.length;
      runs.forEach((run, r) => {
        const y = row.cells.map((cell) => cell.ours[r]);
        if (y.some(has)) series.push({name: runs.length > 1 ? `${name} (${run.name})` : name, color: runs.length > 1 ? r : color, x, y});
      });
      const paper = row.cells.map((cell) => cell.paper);
      if (paper.some(has)) series.push({name: `${name}, paper`, color, paper: true, x, y: paper});
    }
    return [...byGroup].filter(([, series]) => series.length).map(([group, series]) => scaled({
      kind: 'lines', title: group || grid.table.title, xTitle: grid.table.columnsAre, yTitle: grid.table.unit, series}));
  };
  /** A bar per variant, scaled between fastest and slowest as in figure 9 of Lier et al. 2016. */
  const stripChart = ({parts, colorPart, colorValues}, title, variants) => {
    const [fastest, slowest] = extremes(variants), range = slowest.ms - fastest.ms;
    const choice = parts[colorPart] ? `${parts[colorPart]}: ` : '';
    const number = (v) => Number(v.toPrecision(3));
    return bars({title, wide: true, height: 170, yTitle: `0: ${number(fastest.ms)} ms, 1: ${number(slowest.ms)} ms`,
      labels: variants.map(({id, ms}) => `${id}, ${number(ms)} ms`), classes: [...colorValues.map((value) => choice + value), 'fastest'],
      series: [{name: 'scaled time', y: variants.map(({ms}) => range > 0 ? (ms - fastest.ms) / range : 0),
        colors: variants.map(({id}) => id === fastest.id ? colorValues.length : Math.max(0, colorValues.indexOf(id.split('.')[colorPart])))}]});
  };
  const stripCharts = (grid) => forVariants(grid, (row, run, variants) => {
    const name = runs.length > 1 ? `${row.name}, ${runs[run].name}` : row.name;
    return [stripChart(grid.table, `${name}: ${variants.length} variants in their order`, variants),
      stripChart(grid.table, `${name}: from fastest to slowest`, [...variants].sort((a, b) => a.ms - b.ms))];
  });
  /** For tables of times, each column relative to the row's fastest: ratios carry over between devices. */
  const relativeCharts = (grid) => {
    if (grid.table.unit !== 'ms' || grid.columns.length < 4 || grid.columns.length > 10) return [];
    const relative = (values) => {
      const fastest = Math.min(...values.filter((v) => v > 0));
      return Number.isFinite(fastest) ? values.map((v) => has(v) ? v / fastest : null) : null;
    };
    return grid.rows.flatMap((row) => {
      const series = runs.map((run, r) => ({name: run.name, color: r, y: relative(row.cells.map((cell) => cell.ours[r]))})).filter((s) => s.y);
      if (series.length === 0) return [];
      const paper = relative(row.cells.map((cell) => cell.paper));
      if (paper) series.push({name: 'paper', color: 0, paper: true, y: paper});
      return [bars({title: `${row.name}: times the fastest of the row`, labels: grid.columns, series})];
    });
  };
  const bandwidthChart = (names) => {
    const best = names.map((bench) => ({bench, shares: runs.map((run) =>
      rowsOf(run, bench).reduce((most, row) => row.share > 0 ? Math.max(most ?? 0, 100 * row.share) : most, null))}))
      .filter(({shares}) => shares.some(has));
    return best.length === 0 ? [] : [bars({title: "Percent of the device's copy bandwidth, best case of each bench", yTitle: '%', wide: true,
      labels: best.map(({bench}) => bench), series: runs.map((run, r) => ({name: run.name, color: r, y: best.map(({shares}) => shares[r])}))})];
  };

  // Time over what a bench sweeps: rows that differ in nothing else form a line.
  const kMaxLines = 16;  // a chart with more is unreadable
  const settingAxis = (name) => ({title: name, value: (row) => numberOf(settingOf(row, name) ?? ''),
    line: (row) => JSON.stringify([row.workload, row.size, row.settings.filter((setting) => setting[0] !== name)])});
  const sizeAxis = {title: 'pixels', value: ({size}) => size ? size[0] * size[1] : null,
    line: (row) => JSON.stringify([row.label, row.settings])};
  const workAxis = (unit) => ({title: unit, value: ({work}) => work > 0 ? work : null,
    line: (row) => JSON.stringify([row.label, row.settings, row.size])});
  /** Lines of [x, row] in ascending x; none where two rows are at one place, or there is one place only. */
  const linesAlong = (axis, rows) => {
    const lines = new Map();
    for (const row of rows) {
      const x = axis.value(row);
      if (!has(x)) continue;
      if (!lines.has(axis.line(row))) lines.set(axis.line(row), []);
      lines.get(axis.line(row)).push([x, row]);
    }
    return [...lines.values()].filter((line) => line.length > 1 && unique(line.map(([x]) => x)).length === line.length)
      .map((line) => line.sort((a, b) => a[0] - b[0]));
  };
  /** What distinguishes a line from the others: settings whose values differ, label, workload. */
  const lineName = (line, varying, axis) => {
    const row = line[0][1], same = (key) => line.every(([, other]) => other[key] === row[key]);
    let name = row.settings.filter(([key]) => key !== axis && varying.includes(key)).map((setting) => setting.join(' ')).join(', ');
    if ((axis === 'pixels' || name === '') && same('label')) name = row.label + (name && `, ${name}`);
    if (row.workload && same('workload')) name = name ? `${row.workload}: ${name}` : row.workload;
    return name || 'time';
  };
  const scalingChart = (bench, axis) => {
    const names = [], series = [];
    runs.forEach((run, r) => {
      const rows = rowsOf(run, bench).filter((row) => row.time), varying = varyingSettings(rows);
      for (const line of linesAlong(axis, rows)) {
        const name = lineName(line, varying, axis.title);
        if (!names.includes(name)) names.push(name);
        const color = names.indexOf(name);
        if (color < kMaxLines) series.push({name, color, run: r, x: line.map(([x]) => x), y: line.map(([, row]) => row.time.median)});
      }
    });
    const strokeNames = ['solid', 'dashed', 'dotted', 'dash-dotted'];
    const title = `${bench}: time against ${axis.title}` +
      (names.length > kMaxLines ? `, the first ${kMaxLines} of ${names.length} lines` : '') +
      (runs.length > 1 ? runs.map((run, r) => `; ${strokeNames[r % 4]}: ${run.name}`).join('') : '');
    return scaled({kind: 'lines', title, xTitle: axis.title, yTitle: 'ms', height: 260 + 11 * Math.min(names.length, kMaxLines), series});
  };
  const scalingCharts = (bench) => {
    const rows = runs.flatMap((run) => rowsOf(run, bench));
    const along = (axes) => axes.map((axis) => scalingChart(bench, axis)).filter((chart) => chart.series.length);
    const bySetting = along(unique(rows.flatMap((row) => row.settings.map(([name]) => name))).map(settingAxis));
    if (bySetting.length) return bySetting;
    const bySize = along([sizeAxis]);
    return bySize.length || rows.length === 0 ? bySize : along([workAxis(rows.at(-1).unit)]);
  };

  // Sections ---------------------------------------------------------------------------------------
  const known = new Map(benches.map((bench) => [bench.name, bench]));
  const names = unique([...known.keys(), ...runs.flatMap((run) => run.rows.map((row) => row.bench))]);
  const grids = new Map(benches.flatMap((bench) => bench.tables).map((table) => [table.name, fillGrid(table)]));

  const header = () => '<h1>Fathom benchmarks</h1>\n<p class="lead">Every table and figure of five papers, measured and checked ' +
    'against a reference, beside the numbers that they print.</p>\n<div class="runs">\n' + runs.map((run, r) =>
      `<div class="run"><h2>${dot(r)}${esc(run.name)}</h2>\n<dl>` + run.facts.filter(([, value]) => value)
        .map(([name, value]) => `<dt>${name}</dt><dd>${esc(value)}</dd>`).join('') + '</dl></div>\n').join('') + '</div>\n' +
    '<nav aria-label="Sections">' + (comparison ? '<a href="#compare">Comparison</a>' : '') + '<a href="#overview">Overview</a>' +
    sections.filter(({id}) => id !== 'others').map(({id, navigation}) => `<a href="#${id}">${esc(navigation)}</a>`).join('') + '</nav>\n';

  /** Changes are logarithms. A row that would have to double to be flagged cannot be judged. */
  const verdictCells = ({change, threshold, flagged}) => {
    const judged = threshold < Math.log(2);
    return numberCell(change, percentText(change)) + numberCell(threshold, judged ? percentText(threshold) : '') +
      `<td class="word">${flagged ? 'slower' : judged ? 'within the noise' : 'too short to tell'}</td>`;
  };
  const comparisonTables = () => {
    const verdict = [['change'], ['noticed from'], 'verdict'];
    const head = headings(['bench', 'workload', 'case', ['before, ms'], ['now, ms'], ...verdict]);
    const open = ({flagged}) => flagged ? '<tr class="slower">' : '<tr>';
    const rows = comparison.benches.flatMap((bench) => bench.rows.map((row) => ({flagged: row.flagged, html: open(row) + textCell(bench.bench) +
      textCell(row.workload) + `<td title="${esc(row.settings)}">${esc(row.label)}</td>` + numberCell(row.beforeMs, shortNumber(row.beforeMs)) +
      numberCell(row.afterMs, shortNumber(row.afterMs)) + verdictCells(row) + '</tr>\n'})));
    const those = (flagged) => rows.filter((row) => row.flagged === flagged).map((row) => row.html).join('');
    return sortableTable('Benches, all their rows together', headings(['bench', ['rows'], ...verdict]), comparison.benches.map((bench) =>
      open(bench) + `<th scope="row">${esc(bench.bench)}</th>` + numberCell(bench.rows.length, bench.rows.length) + verdictCells(bench) +
      '</tr>\n').join('')) + (those(true) && sortableTable('Rows that are slower', head, those(true))) +
      (those(false) && `<details><summary>All other rows</summary>\n${sortableTable('Rows within the noise', head, those(false))}</details>\n`);
  };
  const comparisonSection = () => {
    const {worst, lines, warnings} = comparison;
    return '<section id="compare"><h2>Comparison</h2>\n' + (worst > 0 ? `<p class="verdict slower">Slower: up to ${(100 * worst).toFixed(1)} %.</p>`
      : '<p class="verdict">Nothing is slower beyond the noise.</p>') + lines.map((line) => `<p>${esc(line)}</p>\n`).join('') +
      warnings.map((line) => `<p class="note">${esc(line)}</p>\n`).join('') + comparisonTables() + '</section>\n';
  };

  /** Which of the papers' tables were measured, and how close the benches come to the bandwidth. */
  const overview = () => {
    const rows = benches.flatMap((bench) => bench.tables.map((table) => {
      const {printed, measured, any} = grids.get(table.name);
      const state = printed === 0 ? (any ? 'measured; the paper prints no numbers' : 'not measured')
        : measured > 0 ? `${measured} of ${printed} numbers` : any ? 'in rows of ours' : 'not measured';
      return `<tr${any ? '' : ' class="missing"'}><td><a href="#${anchor(table.name)}">${esc(table.name)}</a></td>` +
        `<td>${esc(table.title)}</td><td><code>${esc(bench.name)}</code></td><td>${state}</td></tr>\n`;
    }));
    return '<section id="overview"><h2>Overview</h2>\n' + sortableTable("The papers' tables and figures",
      headings(['table or figure', 'of what', 'bench', 'measured']), rows.join('')) + canvases(bandwidthChart(names)) + '</section>\n';
  };
  const paperPart = (table, bench) => {
    const grid = grids.get(table.name);
    let html = `<article id="${anchor(table.name)}"><h3>${esc(table.name)}</h3>\n<p>${esc(table.title)}</p>\n`;
    if (!grid.any) html += `<p class="missing">Not measured in these files: <code>fathom bench ${esc(bench)} --json FILE.json</code> does.</p>\n`;
    if (table.shape === 'strip') {
      html += canvases(stripCharts(grid)) + stripTable(grid) + choicesTable(grid);
    } else {
      if (table.shape === 'curves') html += canvases(curveCharts(grid));
      if (grid.rows.length) html += gridTable(grid);
      html += canvases(relativeCharts(grid));
    }
    if (grid.any && grid.printed > 0)
      html += '<p class="count">' + (grid.measured > 0 ? `${grid.measured} of the paper's ${grid.printed} numbers have a counterpart in these files.`
        : `None of the paper's ${grid.printed} numbers has a counterpart in these files; shaded rows are ours.`) + '</p>\n';
    return html + (table.note ? `<p class="note">${esc(table.note)}</p>\n` : '') + '</article>\n';
  };
  const kMaxOpenRows = 24;  // longer tables start out folded
  const benchPart = (name) => {
    const {tables = [], about} = known.get(name) ?? {};
    let html = tables.map((table) => paperPart(table, name)).join('');
    if (!tables.some((table) => table.shape === 'strip')) html += canvases(scalingCharts(name));
    const measurements = measurementTable(name);
    const folded = tables.length > 0 || Math.max(...runs.map((run) => rowsOf(run, name).length)) > kMaxOpenRows;
    if (measurements) html += `<details${folded ? '' : ' open="open"'}><summary><code>${esc(name)}</code>: all cases` +
      `${known.has(name) ? `. ${esc(about)}` : ''}</summary>\n${measurements}</details>\n`;
    return html;
  };
  const section = ({id, title, paper}) => {
    const mine = names.filter((name) => known.has(name) ? name.startsWith(id + '.') : id === 'others');
    const parts = mine.map((name) => ({name, html: benchPart(name)}));
    const missing = parts.filter(({html}) => !html).map(({name}) => `<code>${esc(name)}</code>`).join(', ');
    return mine.length === 0 ? '' : `<section id="${id}"><h2>${esc(title)}</h2>\n${paper && `<p class="cite">${esc(paper)}</p>\n`}` +
      parts.map(({html}) => html).join('') + (missing && `<p class="missing">Not measured in these files either: ${missing}.</p>\n`) + '</section>\n';
  };
  document.querySelector('header').innerHTML = header();
  document.querySelector('main').innerHTML = (comparison ? comparisonSection() : '') + overview() + sections.map(section).join('');

  // Sorting ----------------------------------------------------------------------------------------
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

  // Charts by Chart.js -----------------------------------------------------------------------------
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
  const drawn = [];
  const strokes = [[], [9, 5], [2, 3], [9, 4, 2, 4]];
  const points = ['circle', 'triangle', 'rect'];  // colors come round after eight lines
  const lineOf = (s) => {
    const c = color('--c' + (s.color % 8));
    return {
      label: s.name, data: s.x.map((x, i) => ({x, y: s.y[i]})), borderColor: c, backgroundColor: c,
      borderDash: s.paper ? [6, 4] : strokes[(s.run ?? 0) % 4], borderWidth: 2, pointRadius: s.paper ? 4 : 3,
      pointStyle: s.paper ? 'rectRot' : points[Math.floor(s.color / 8) % 3], spanGaps: true,
    };
  };
  const barsOf = (s) => ({
    label: s.name, data: s.y, borderWidth: 0,
    backgroundColor: s.colors ? s.colors.map((k) => color('--k' + k))
      : s.paper ? color('--c7') : color('--c' + (s.color % 8)),
    minBarLength: s.colors ? 3 : 0,  // the fastest stands at 0
    categoryPercentage: s.colors ? 1 : 0.8, barPercentage: s.colors ? 1 : 0.92,
  });
  const axis = (title, log, linear) => ({
    type: log ? 'logarithmic' : linear, title: {display: title !== '', text: title},
    grid: {color: color('--line')}, ticks: {callback: log ? tick : short, maxTicksLimit: 8},
  });
  const configOf = (spec) => {
    const lines = spec.kind === 'lines', many = spec.labels?.length > 40;
    const x = lines ? axis(spec.xTitle, spec.logX, 'linear')
      : {display: !many, grid: {display: false}, ticks: {autoSkip: false, maxRotation: 60}};
    const y = axis(spec.yTitle, spec.logY, 'linear');
    if (!spec.logY) y.beginAtZero = true;
    const legend = {labels: {boxWidth: 14, boxHeight: 8, usePointStyle: lines}, position: 'bottom',
      display: spec.series.length > 1 || spec.classes?.length > 0};
    // Lines of the same name in several runs have one entry.
    legend.labels.filter = (item) =>
      item.datasetIndex === spec.series.findIndex((other) => other.name === item.text);
    if (spec.classes) {
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
    charts.forEach((spec, i) => drawn.push(new Chart(document.getElementById('chart' + i), configOf(spec))));
  };
  draw();
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  window.addEventListener('beforeprint', () => {
    for (const closed of document.querySelectorAll('details:not([open])')) closed.open = true;
    for (const chart of drawn) chart.resize();
  });
  window.addEventListener('afterprint', () => { for (const chart of drawn) chart.resize(); });
})();
