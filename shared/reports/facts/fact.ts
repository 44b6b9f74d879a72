/**
 * Sums by day, currency, order status and further keys, which several reports add up. The worker stores the sums of
 * past days and months. All others are computed when a report is read.
 */
export interface Fact {
  name: string
  keys: readonly string[]
  sums: readonly string[]
  /**
   * Whether the fact is also a set of customers. Sets of several days can be united. The query of a set also has
   * `member`, a number below `BLOCK_SIZE`, and the key `block`.
   */
  isSet?: true
  /**
   * Returns SQL with the columns `day, currency, status`, the keys and the sums. `days` is a query with the columns
   * `day`, `starts` and `ends`. Rows with equal keys are added up.
   */
  sql: (days: string) => string
}

/** The number of customers that one row of a set can hold. */
export const BLOCK_SIZE = 4_096

/** SQL: whether a time is on the day of the row with the alias `days`. */
export const onDay = (time: string, days: string): string =>
  `${time} >= ${days}.starts and ${time} < ${days}.ends`

/**
 * SQL: the days `d` of a query, joined to the rows of a table whose time is on them, with an alias. It reads day by
 * day: PostgreSQL overestimates the rows of a day, and would otherwise read the whole table. A subquery with `offset`
 * is planned as written.
 */
export const rowsOn = (days: string, table: string, time: string, alias: string): string => `
  ${days} d cross join lateral (
    select * from ${table} where ${onDay(time, 'd')} offset 0) as ${alias}`

/** SQL: the moment at which a date begins in a time zone. */
export const startOfDay = (date: string, zone: string): string =>
  `((${date})::timestamp at time zone ${zone})`

/** SQL: the first date of the month of a date. */
export const monthOf = (day: string): string => `date_trunc('month', ${day}::timestamp)::date`

const DIMENSIONS = ['day', 'currency', 'status'] as const
const PACKED = [...DIMENSIONS, 'keys', 'sums', 'members'].join(', ')

/** SQL: the facts of days as rows of `report_facts` without their store, span and number. */
export const packedFacts = ({ keys, sums, isSet, sql }: Fact, days: string): string => `
  select ${DIMENSIONS.join(', ')}, array[${keys.map((key) => `coalesce(${key}::text, '')`).join(', ')}] as keys,
    array[${sums.map((name) => `sum(${name})::bigint`).join(', ')}]::bigint[] as sums,
    ${isSet ? `bit_or(set_bit(0::bit(${BLOCK_SIZE}), member::int, 1))` : `null::bit(${BLOCK_SIZE})`} as members
  from (${sql(days)}) as fresh group by 1, 2, 3, 4`

/** SQL: the facts of a month as the same rows, from its stored days. */
export const packedMonth = ({ name, sums }: Fact, month: string): string => `
  select ${month} as day, currency, status, keys,
    array[${sums.map((_, index) => `sum(sums[${index + 1}])::bigint`).join(', ')}]::bigint[] as sums,
    bit_or(members) as members
  from report_facts
  where fact = '${name}' and span = 'day' and day >= ${month} and day < (${month} + interval '1 month')::date
  group by currency, status, keys`

/**
 * SQL: `with` queries of three parts of the range: the stored months, the other stored days, and the days whose facts
 * are not stored or have changed. Months are used only if the rows of the report are months, or cover the whole range.
 */
export const SPANS = `
  open_days as materialized (
    select * from report_open_days((:dateFrom)::date, (:dateTo)::date, (:zone)::text)),
  months as materialized (
    select month from report_months
    where (:byMonth)::boolean and time_zone = (:zone)::text and month >= (:dateFrom)::date
      and (month + interval '1 month')::date <= (:dateTo)::date + 1
      and month not in (select ${monthOf('day')} from open_days)),
  days as materialized (
    select day from (select generate_series((:dateFrom)::date::timestamp, (:dateTo)::date, '1 day')::date as day) as asked
    where day not in (select day from open_days) and ${monthOf('day')} not in (select month from months))`

/**
 * SQL: the facts of the range by their names, stored or computed now. It needs `SPANS`. One statement reads both, so
 * that they agree.
 */
export const factsInRangeSql = (fact: Fact): string => {
  const { name, keys, sums, isSet } = fact
  const unpacked = [
    ...keys.map((key, index) => `keys[${index + 1}] as ${key}`),
    ...sums.map((sum, index) => `sums[${index + 1}] as ${sum}`),
    ...(isSet ? ['members'] : []),
  ].join(', ')
  const stored = (span: string, days: string) =>
    `select ${PACKED} from report_facts where fact = '${name}' and span = '${span}' and day = any (array(${days}))`
  return `
    select ${DIMENSIONS.join(', ')}, ${unpacked} from (
      ${stored('month', 'select month from months')}
      union all
      ${stored('day', 'select day from days')}
      union all
      ${packedFacts(fact, 'open_days')}) as packed`
}
