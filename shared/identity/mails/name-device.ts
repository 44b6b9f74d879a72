/**
 * The names of programs by their User-Agent. The first match applies, because each program also claims to be those
 * below it.
 */
const PROGRAMS: [name: string, sign: RegExp][] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\/|\bOpera\b/],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
]

const SYSTEMS: [name: string, sign: RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]

const LONGEST = 100

/**
 * Returns the common name of the browser with this `User-Agent`, e.g. `Firefox (Linux)`. Any other program keeps its
 * own name.
 */
export function nameDevice(userAgent: string): string {
  const [program, system] = [PROGRAMS, SYSTEMS].map((known) => known.find(([, sign]) => sign.test(userAgent)))
  if (program && system) return `${program[0]} (${system[0]})`
  return userAgent.length > LONGEST ? `${userAgent.slice(0, LONGEST).toWellFormed()}…` : userAgent
}
