/** The style of the pages, light or dark by the visitor's setting. */
export const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; display: grid; place-items: center; min-height: 100vh; }
main { width: min(26rem, calc(100vw - 3rem)); padding: 2rem 0; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 0 0 1rem; }
#number { white-space: nowrap; }
label { display: block; margin: 1rem 0; }
input, select, button { box-sizing: border-box; width: 100%; font: inherit; padding: 0.6rem; margin-top: 0.25rem; }
button { cursor: pointer; margin-top: 1rem; }
form button { margin-top: 0.25rem; }
form button + button { margin-top: 0.75rem; }
table { width: 100%; border-collapse: collapse; }
td { padding: 0.5rem 0; border-bottom: 1px solid; vertical-align: top; }
td + td { text-align: right; white-space: nowrap; padding-left: 1rem; }
#facts td:first-child { white-space: nowrap; }
#facts td + td { white-space: normal; }
#next:not(:empty) { font-weight: bold; margin-top: 2rem; }
#failure:not(:empty) { border-left: 0.25rem solid; padding-left: 1rem; }
#actions { margin-top: 1rem; }
#actions button { margin-top: 0.75rem; }
dialog { width: min(22rem, calc(100vw - 5rem)); }
dialog button { margin-top: 0.75rem; }
#card { margin: 1.5rem 0 1rem; }
[role=status]:not(:empty) { border-left: 0.25rem solid; padding-left: 1rem; }
[hidden] { display: none !important; }
`
