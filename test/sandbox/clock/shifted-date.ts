const RealDate = globalThis.Date
const realNow = RealDate.now
let offsetMs = 0

/**
 * Puts this process's `Date` ahead by `ms` milliseconds, for its libraries too: signatures, tokens and log lines then
 * have one time. Timers and `performance.now()` stay as they are.
 */
export function shiftDate(ms: number): void {
  offsetMs = ms
  if (globalThis.Date === RealDate) install()
}

function install(): void {
  RealDate.now = () => realNow() + offsetMs
  // A proxy and not a subclass: a Date that Node itself makes must remain an instance of `Date`.
  const ShiftedDate = new Proxy(RealDate, {
    construct: (date, given, newTarget) =>
      Reflect.construct(date, given.length ? given : [RealDate.now()], newTarget),
    apply: () => new RealDate(RealDate.now()).toString(),
  })
  RealDate.prototype.constructor = ShiftedDate
  globalThis.Date = ShiftedDate
}
