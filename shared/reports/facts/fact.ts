/**
 * Sums that several reports add up, by day, currency, status of the order and further keys. The worker stores those of past
 * days; the others are summed when a report is read.
 */
export interface Fact {
  name: string
  keys: readonly string[]
  sums: readonly string[]
  /**
   * SQL: the sums of the days of a query, which has `day`, `starts` and `ends`: `day, currency, status`, the keys and the
   * sums. A row that is not unique is added to the others.
   */
  sql: (days: string) => string
}

/** SQL: a time is on the day of a row of `days`, under an alias. */
export const onDay = (time: string, days: string): string =>
  `${time} >= ${days}.starts and ${time} < ${days}.ends`

/** SQL: the moment at which a date begins in a time zone. */
export const startOfDay = (date: string, zone: string): string =>
  `((${date})::timestamp at time zone ${zone})`

const DIMENSIONS = ['day', 'currency', 'status'] as const

/** SQL: the facts of days as rows of `report_facts` without their store and number. */
export const packedFacts = ({ keys, sums, sql }: Fact, days: string): string => `
  select ${DIMENSIONS.join(', ')}, array[${keys.map((key) => `coalesce(${key}::text, '')`).join(', ')}] as keys,
    array[${sums.map((name) => `sum(${name})::bigint`).join(', ')}] as sums
  from (${sql(days)}) as fresh group by 1, 2, 3, 4`

/** SQL: `with` queries: the days of the range whose facts are not stored, or have changed. */
export const OPEN_DAYS = `
  open_days as materialized (
    select * from report_open_days((:dateFrom)::date, (:dateTo)::date, (:zone)::text))`

/** SQL: the facts of the range by their names, stored or fresh. It needs `OPEN_DAYS`. One statement sees both at one moment. */
export const factsWithin = (fact: Fact): string => {
  const { name, keys, sums } = fact
  const unpacked = [
    ...keys.map((key, index) => `keys[${index + 1}] as ${key}`),
    ...sums.map((sum, index) => `sums[${index + 1}] as ${sum}`),
  ].join(', ')
  return `
    select ${DIMENSIONS.join(', ')}, ${unpacked} from (
      select ${DIMENSIONS.join(', ')}, keys, sums from report_facts
      where fact = '${name}' and day between (:dateFrom)::date and (:dateTo)::date
        and day not in (select day from open_days)
      union all
      ${packedFacts(fact, 'open_days')}) as packed`
}
