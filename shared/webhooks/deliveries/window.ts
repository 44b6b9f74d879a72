import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import { deliverWebhook } from '#shared/webhooks/jobs.ts'

/*
 * A pending delivery is queued, with a job, or held, without one. A webhook's window limits its queued deliveries,
 * because fetching from a queue passes over all jobs of a store that is at its limit, and so delays other stores. When
 * an attempt leaves the window half empty, it enqueues the held deliveries that have been due longest.
 */

/**
 * The most queued deliveries of a webhook that are due, and the most queued retries that are due later. When all those
 * retries fall due, about twice as many have a job. Attempts that end at the same time, tests and single redeliveries
 * may exceed it. It is twice the jobs that run at the same time, so that the window seldom runs empty.
 */
export const WINDOW = 2 * deliverWebhook.rules.perStore
const HALF = WINDOW / 2

/** SQL: `from` a webhook's held deliveries that are due at `at`, by the name `held`. */
export const fromHeldSql = (webhookId: string, at: string): string =>
  `from webhook_deliveries held where held.store_id = ${CURRENT_STORE} and held.webhook_id = ${webhookId}
     and held.status = 'pending' and held.job_id is null and held.next_attempt_at <= ${at}`

/**
 * SQL: true if a webhook has held deliveries that are due at `at`, else null. It is one probe of an index; for `exists`
 * PostgreSQL may read all held deliveries of the store.
 */
export const hasHeldSql = (webhookId: string, at: string): string =>
  `(select true ${fromHeldSql(webhookId, at)} limit 1)`

const countSql = (webhookId: string, due: string): string =>
  `(select count(*) from (
      select from webhook_deliveries queued where queued.store_id = ${CURRENT_STORE}
        and queued.webhook_id = ${webhookId} and queued.status = 'pending' and queued.job_id is not null
        and queued.next_attempt_at ${due} limit ${WINDOW}) counted)`

/** SQL: the number of a webhook's queued deliveries that are due at `at`, at most `WINDOW`. */
export const countDueSql = (webhookId: string, at: string): string => countSql(webhookId, `<= ${at}`)

/** SQL: the number of a webhook's queued deliveries that are due after `at`, at most `WINDOW`. */
export const countLaterSql = (webhookId: string, at: string): string => countSql(webhookId, `> ${at}`)

/**
 * SQL: whether a webhook has held deliveries that are due at `at`, and at most half a window of queued ones. It does
 * not count `settled` queued ones, which the same statement settles. Without held ones it costs one probe of an index.
 */
export const isWindowLowSql = (webhookId: string, at: string, { settled }: { settled: number }): string =>
  `case when ${hasHeldSql(webhookId, at)}
     then ${countDueSql(webhookId, at)} <= ${HALF + settled} else false end`
