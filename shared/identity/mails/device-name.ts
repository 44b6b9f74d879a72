/** How programs name themselves (User-Agent): the first that fits, for each says that it is those below it, too. */
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
 * What people call the browser that sends this `User-Agent`: `Firefox (Linux)`. Any other program goes by its own
 * words.
 */
export function nameDevice(userAgent: string): string {
  const [program, system] = [PROGRAMS, SYSTEMS].map((known) => known.find(([, sign]) => sign.test(userAgent)))
  if (program && system) return `${program[0]} (${system[0]})`
  return userAgent.length > LONGEST ? `${userAgent.slice(0, LONGEST).toWellFormed()}…` : userAgent
}
