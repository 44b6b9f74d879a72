import { PgBoss } from 'pg-boss'
import { directUrl } from '#shared/platform/config/config.ts'
import { log } from '#shared/platform/log.ts'

let sender: Promise<PgBoss> | undefined

/** Returns the process's connection for sending jobs. */
export function queues(): Promise<PgBoss> {
  sender ??= startSender()
  return sender
}

async function startSender(): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: directUrl(),
    application_name: `${process.env.PROCESS_NAME ?? 'commerce'}-queues`,
    max: 2,
    migrate: false,
    supervise: false,
    schedule: false,
    useListenNotify: true,
  })
  boss.on('error', (error) => log.error({ err: error }, 'queue connection failed'))
  return boss.start()
}

/** Closes the connection at the end of a process or a test file. */
export async function closeQueues(): Promise<void> {
  const closing = sender
  sender = undefined
  await (await closing)?.stop({ graceful: false })
}
