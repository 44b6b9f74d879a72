import { setTimeout as pause } from 'node:timers/promises'
import Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { isDatabaseUp } from '#shared/platform/db/database-probe.ts'
import { db } from '#shared/platform/db/db.ts'
import { pendingMigrations } from '#shared/platform/db/pending-migrations.ts'
import { assertStorage } from '#shared/platform/db/storage-check.ts'
import { readQueueSchemaVersion } from '#shared/platform/jobs/read-queue-schema-version.ts'
import { isStopping } from './stopping.ts'

const OTHER_PATH = /^\/(?!health)/i

/** Creates the middleware of the health checks for load balancers, outside `/api/v1`. */
export function healthRoutes(): Middleware {
  const router = new Router()
  router.get('/health/live', (ctx: Context) => {
    ctx.body = { status: 'ok' }
  })
  router.get('/health/ready', async (ctx: Context) => {
    const checks = await checkOnce()
    const isReady = Object.values(checks).every((ok) => ok)
    ctx.status = isReady && !isStopping() ? 200 : 503
    ctx.body = { status: readinessOf(isReady), checks }
  })
  const routes = router.routes() as Middleware
  // Otherwise the router would compare the path of each request with its routes.
  return (ctx, next) => (OTHER_PATH.test(ctx.req.url ?? '') ? next() : routes(ctx, next))
}

function readinessOf(isReady: boolean): string {
  if (isStopping()) return 'stopping'
  return isReady ? 'ok' : 'not ready'
}

const CHECK_TIMEOUT_MS = 2_000

let running: ReturnType<typeof check> | undefined

/**
 * Runs one check at a time. Anyone may ask without a limit, so all requests during a check get its result. It uses at
 * most four connections.
 */
function checkOnce(): ReturnType<typeof check> {
  running ??= check().finally(() => {
    running = undefined
  })
  return running
}

async function check() {
  const [database, storage, queue, migrations] = await Promise.all([
    succeedsInTime(db().raw('select 1')),
    succeedsInTime(assertStorage()),
    succeedsInTime(readQueueSchemaVersion()),
    succeedsInTime(assertMigrated()),
  ])
  return { database: database && isDatabaseUp(), storage, queue, migrations }
}

async function assertMigrated(): Promise<void> {
  const pending = await pendingMigrations()
  if (pending.length) throw new Error(`The database has not run ${pending.join(', ')}`)
}

/** Whether a check succeeds before the time-out. A database that does not respond never ends a check. */
const succeedsInTime = (check: PromiseLike<unknown>): Promise<boolean> =>
  Promise.race([
    check.then(
      () => true,
      () => false,
    ),
    pause(CHECK_TIMEOUT_MS, false, { ref: false }),
  ])
