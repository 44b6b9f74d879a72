import { lockName } from '#shared/platform/db/lock-name.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { dateIn, now } from '#shared/platform/time/clock.ts'
import { readStore } from '#shared/stores/store.ts'
import { monthOf, packedFacts, packedMonth, startOfDay } from './fact.ts'
import { FACTS } from './facts.ts'

const DAY_OF_CHANGE = '(at at time zone (:zone)::text)::date'
const FIRST_DAY = `(select (min(paid_at) at time zone (:zone)::text)::date from orders where paid_at is not null)`

/** The parameters of the SQL below. */
type FactParameters = { zone: string; today: string }

/** Locks the facts of a store, so that one worker at a time saves them. Returns the parameters of the SQL. */
async function lockAndReadParameters(tx: StoreTx): Promise<FactParameters> {
  await lockName(tx.knex, `report facts of ${tx.storeId}`)
  const { timeZone: zone } = await readStore(tx)
  return { zone, today: dateIn(zone, now()) }
}

/** SQL: the past days since the first order. */
const PAST_DAYS = `
  select generate_series(${FIRST_DAY}::timestamp, (:today)::date::timestamp - interval '1 day', '1 day')::date as day`

/** SQL: the past days whose facts are not saved, or have changed. */
const DAYS_TO_SAVE = `
  select day from (
    ${PAST_DAYS}
    union
    select ${DAY_OF_CHANGE} from report_changes) as days
  where day < (:today)::date
    and (not exists (select from report_days s where s.day = days.day and s.time_zone = (:zone)::text)
      or day in (select ${DAY_OF_CHANGE} from report_changes))`

/**
 * Deletes outdated days, months and changes. Returns the past days (YYYY-MM-DD) whose facts are not saved or have
 * changed: the latest unsaved ones first, then those that changed first. A run has little time, so with this sequence
 * days that change again and again do not keep it from all others.
 */
export async function deleteOutdatedAndFindDays(tx: StoreTx): Promise<string[]> {
  const parameters = await lockAndReadParameters(tx)
  await noteDaysOfMovedCustomers(tx, parameters)
  await deleteOutdated(tx, parameters)
  const { rows } = await tx.knex.raw<{ rows: { day: string }[] }>(
    `select day::text from (${DAYS_TO_SAVE}) as days
     left join (select ${DAY_OF_CHANGE} as day, min(id) as first_change from report_changes group by 1) as changed
       using (day)
     order by first_change nulls first, day desc`,
    parameters,
  )
  return rows.map(({ day }) => day)
}

/** Replaces each change of a customer's group by changes of the days of the customer's payments and refunds. */
async function noteDaysOfMovedCustomers({ knex }: StoreTx, parameters: FactParameters): Promise<void> {
  await knex.raw(
    `with moved as (delete from report_changes where customer_id is not null)
     insert into report_changes (store_id, at)
     select ${CURRENT_STORE}, min(at) from report_group_changes()
     where ${DAY_OF_CHANGE} not in (select ${DAY_OF_CHANGE} from report_changes where at is not null)
     group by ${DAY_OF_CHANGE}`,
    parameters,
  )
}

/**
 * Deletes days and months that were saved in an earlier time zone of the store, and changes of days that are not saved,
 * e.g. of today. The facts of such days are computed when a report is read.
 */
async function deleteOutdated(tx: StoreTx, parameters: FactParameters): Promise<void> {
  await tx.knex('report_days').whereNot('time_zone', parameters.zone).delete()
  await tx.knex('report_months').whereNot('time_zone', parameters.zone).delete()
  await tx.knex.raw(
    `delete from report_changes where ${DAY_OF_CHANGE} not in (select day from report_days)`,
    parameters,
  )
}

/** Returns all past days (YYYY-MM-DD) since the first order, the latest first. */
export async function findPastDays(tx: StoreTx): Promise<string[]> {
  const { rows } = await tx.knex.raw<{ rows: { day: string }[] }>(
    `select day::text from (${PAST_DAYS}) as days order by day desc`,
    await lockAndReadParameters(tx),
  )
  return rows.map(({ day }) => day)
}

const INSERT_FACTS = `insert into report_facts (store_id, fact, span, day, number, currency, status, keys, sums, members)`
/** SQL: numbers packed facts, and adds the fact and the span (`day` or `month`). */
const numbered = (fact: string, span: string, packed: string): string => `
  select ${CURRENT_STORE}, '${fact}', '${span}', day, row_number() over (), currency, status, keys, sums, members
  from (${packed}) as packed`

/** Saves the facts of a past day, and deletes those of its month, which are outdated now. */
export async function saveFacts(tx: StoreTx, day: string): Promise<void> {
  const parameters = { ...(await lockAndReadParameters(tx)), day }
  // Delete first: the deleted changes were committed, so the statements below see them. A later change stays, and the
  // day is calculated again.
  await tx.knex.raw(`delete from report_changes where ${DAY_OF_CHANGE} = (:day)::date`, parameters)
  await tx.knex.raw(`delete from report_facts where span = 'day' and day = (:day)::date`, parameters)
  await tx.knex.raw(`delete from report_months where month = ${monthOf('(:day)::date')}`, parameters)
  for (const fact of FACTS)
    await tx.knex.raw(
      `with days as materialized (
         select day, ${startOfDay('day', '(:zone)::text')} as starts, ${startOfDay('day + 1', '(:zone)::text')} as ends
         from (select (:day)::date as day) as one)
       ${INSERT_FACTS} ${numbered(fact.name, 'day', packedFacts(fact, 'days'))}`,
      parameters,
    )
  await tx.knex.raw(
    `insert into report_days (store_id, day, time_zone) values (${CURRENT_STORE}, (:day)::date, (:zone)::text)
     on conflict (store_id, day) do update set time_zone = excluded.time_zone`,
    parameters,
  )
}

/** Saves the missing facts of past months whose days are all saved. */
export async function saveMonths(tx: StoreTx): Promise<void> {
  const parameters = await lockAndReadParameters(tx)
  const { rows } = await tx.knex.raw<{ rows: { month: string }[] }>(
    `select month::text
     from (select generate_series(${monthOf(FIRST_DAY)}::timestamp, ${monthOf('(:today)::date')} - 1, '1 month')::date as month)
       as past
     where month not in (select month from report_months where time_zone = (:zone)::text)
       and month not in (select ${monthOf('day')} from (${DAYS_TO_SAVE}) as days)`,
    parameters,
  )
  for (const { month } of rows) await saveMonth(tx, { ...parameters, month })
}

async function saveMonth(tx: StoreTx, parameters: { zone: string; month: string }): Promise<void> {
  await tx.knex.raw(`delete from report_facts where span = 'month' and day = (:month)::date`, parameters)
  for (const fact of FACTS)
    await tx.knex.raw(
      `${INSERT_FACTS} ${numbered(fact.name, 'month', packedMonth(fact, '(:month)::date'))}`,
      parameters,
    )
  await tx.knex.raw(
    `insert into report_months (store_id, month, time_zone) values (${CURRENT_STORE}, (:month)::date, (:zone)::text)
     on conflict (store_id, month) do update set time_zone = excluded.time_zone`,
    parameters,
  )
}
