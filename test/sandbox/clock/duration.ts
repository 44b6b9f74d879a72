const DURATION =
  /^P(?=.)(?:(\d{1,6})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=.)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/

/**
 * The time after `from` by an ISO 8601 duration in whole numbers, such as PT30M, P1D or P1Y. Years and months are those
 * of the calendar in UTC: a month after 31 January is the last day of February. Undefined when it is not a duration.
 */
export function addDuration(from: Date, duration: string): Date | undefined {
  const parts = DURATION.exec(duration)?.slice(1)
  if (!parts) return undefined
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map(
    (part) => Number(part ?? 0),
  )
  const inSeconds = (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds
  return new Date(addMonths(from, years * 12 + months).getTime() + inSeconds * 1_000)
}

function addMonths(from: Date, months: number): Date {
  const to = new Date(from)
  to.setUTCMonth(from.getUTCMonth() + months, 1)
  const lastDay = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate()
  to.setUTCDate(Math.min(from.getUTCDate(), lastDay))
  return to
}
