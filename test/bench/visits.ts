import { db } from '#shared/platform/db/db.ts'
import { cpuMs, serverCpuMs } from './cpu-time.ts'
import { type Load, measure } from './measure.ts'

interface Served {
  load: Load
  /** The web process, or that of the floor. */
  pid: number
}

/**
 * The processor time of one visit, of the process that serves it and of PostgreSQL: a row of the table. Unlike the
 * visits a second, it hardly depends on what else the machine does.
 */
export async function measureVisitCpu(floor: Served, ours: Served, seconds: number): Promise<string[]> {
  const [of, than] = [await cpuOf(floor, seconds), await cpuOf(ours, seconds)]
  const text = ({ web, postgres }: { web: number; postgres: number }) =>
    `${web.toFixed(2)} ms, PostgreSQL ${postgres.toFixed(2)} ms`
  const ratio = (than.web + than.postgres) / (of.web + of.postgres)
  return [
    'Processor time of a visit',
    text(of),
    text(than),
    `${ratio.toFixed(2)} ×`,
    '≤ 1 ms: half of two cores',
  ]
}

async function cpuOf({ load, pid }: Served, seconds: number) {
  const { rows } = await db().raw<{ rows: { pid: number }[] }>('select pg_backend_pid() as pid')
  const backend = rows[0]?.pid ?? 0
  const before = { web: cpuMs(pid), postgres: serverCpuMs(backend) }
  const { perSecond } = await measure(load, seconds)
  const visits = perSecond * seconds
  return {
    web: (cpuMs(pid) - before.web) / visits,
    postgres: (serverCpuMs(backend) - before.postgres) / visits,
  }
}
