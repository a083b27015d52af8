// The style sheet of the HTML page: light and dark, for screen and print.

/** Each colour has a contrast ratio of at least 4.5 with its background (https://www.w3.org/TR/WCAG22/#contrast-minimum). */
export const style = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --page: #ffffff; --raised: #f4f6f8; --line: #c9d1d9;
  --error: #b3261e; --warning: #7a4f00; --info: #0a5ea8; --is: #b3261e; --should: #1a6b32; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #a2adb8; --page: #0d1117; --raised: #161b22;
  --line: #3d444d; --error: #ff8a80; --warning: #f0b849; --info: #79c0ff; --is: #ff8a80; --should: #7ee09a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 70rem; background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
p { margin: .25rem 0; } a { color: var(--info); } code { font: .9em ui-monospace, monospace; }
form { display: flex; flex-wrap: wrap; gap: .75rem 1.25rem; align-items: center; margin: 1.25rem 0; }
form[hidden] { display: none; }
input[type=search] { font: inherit; color: inherit; background: var(--page); border: 1px solid var(--soft);
  border-radius: .3rem; padding: .35rem .6rem; width: 22rem; max-width: 100%; }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .4rem 0; background: var(--raised); }
details[hidden] { display: none; }
summary { padding: .5rem .75rem; cursor: pointer; }
summary:focus-visible, input:focus-visible, a:focus-visible { outline: .2rem solid var(--info); outline-offset: .1rem; }
details > div { padding: .25rem .75rem .75rem; border-top: 1px solid var(--line); background: var(--page);
  border-radius: 0 0 .4rem .4rem; }
.severity { font-weight: 600; } .error { color: var(--error); } .warning { color: var(--warning); } .info { color: var(--info); }
.soft { color: var(--soft); } .is { color: var(--is); } .should { color: var(--should); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .5rem 0 0; }
dt { color: var(--soft); } dd { margin: 0; } ul { margin: .25rem 0; padding-left: 1.25rem; }
@media print { form { display: none; } details > div { display: block; } }
`.trim()
