import Router from '@koa/router'
import type { Context } from 'koa'
import { db } from '#shared/platform/db/db.ts'
import { pendingMigrations } from '#shared/platform/db/pending-migrations.ts'
import { readQueueSchemaVersion } from '#shared/platform/jobs/job-table.ts'
import { register } from './metrics.ts'

let stopping = false

/** Makes `/health/ready` answer 503, so that a load balancer sends no new requests. */
export function announceStop(): void {
  stopping = true
}

/** Health checks and metrics for operators and load balancers, outside `/api/v1`. */
export function healthRoutes(): Router {
  const router = new Router()
  router.get('/health/live', (ctx: Context) => {
    ctx.body = { status: 'ok' }
  })
  router.get('/health/ready', async (ctx: Context) => {
    const checks = {
      database: await succeeds(db().raw('select 1').timeout(CHECK_TIMEOUT_MS)),
      queue: await succeeds(readQueueSchemaVersion(CHECK_TIMEOUT_MS)),
      migrations: await succeeds(isMigrated()),
    }
    const ready = !stopping && Object.values(checks).every((ok) => ok)
    ctx.status = ready ? 200 : 503
    ctx.body = {
      status: ready ? 'ok' : stopping ? 'stopping' : 'not ready',
      checks,
    }
  })
  router.get('/metrics', async (ctx: Context) => {
    ctx.set('Content-Type', register.contentType)
    ctx.body = await register.metrics()
  })
  return router
}

const CHECK_TIMEOUT_MS = 2_000

async function isMigrated(): Promise<void> {
  const pending = await pendingMigrations()
  if (pending.length) throw new Error(`The database has not run ${pending.join(', ')}`)
}

const succeeds = (check: PromiseLike<unknown>): PromiseLike<boolean> =>
  check.then(
    () => true,
    () => false,
  )
