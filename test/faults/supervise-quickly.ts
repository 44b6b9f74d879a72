import { PgBoss } from 'pg-boss'
import { directUrl } from '#shared/platform/config/config.ts'

/** In this database alone, a killed worker's jobs of these queues are tried again after seconds instead of a minute. */
export async function superviseQuickly(of: readonly { queue: string }[]): Promise<AsyncDisposable> {
  const boss = new PgBoss({
    connectionString: directUrl(),
    migrate: false,
    schedule: false,
    monitorIntervalSeconds: 1,
    superviseIntervalSeconds: 1,
  })
  boss.on('error', (error) => console.error(error))
  await boss.start()
  for (const { queue } of of)
    await boss.updateQueue(queue, {
      expireInSeconds: 1,
      retryLimit: 1_000,
      retryDelay: 0,
      retryBackoff: false,
    })
  return { [Symbol.asyncDispose]: () => boss.stop({ graceful: false }) }
}
