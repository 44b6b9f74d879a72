import { readdirSync, readFileSync } from 'node:fs'
import { db } from '#shared/platform/db/db.ts'

const TICK_MS = 10

/** The fields of /proc/<pid>/stat after the name of the program; undefined for a process that has ended. */
function statOf(pid: number | string): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
  } catch {
    return undefined
  }
}

/** User and system time of a running process so far, in ms. */
export function cpuMs(pid: number | string): number {
  const [user = 0, system = 0] = statOf(pid)?.slice(11, 13).map(Number) ?? []
  return (user + system) * TICK_MS
}

/** The same of a PostgreSQL server with the processes of its connections; `backend` is the process of any of them. */
export function serverCpuMs(backend: number): number {
  const server = statOf(backend)?.[1]
  const processes = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && statOf(pid)?.[1] === server)
  return [server ?? '', ...processes].reduce((total, pid) => total + cpuMs(pid), 0)
}

/** Processor time in ms, of a process that serves requests and of PostgreSQL. */
export interface CpuTime {
  web: number
  postgres: number
}

export const cpuText = ({ web, postgres }: CpuTime): string =>
  `${web.toFixed(2)} ms, PostgreSQL ${postgres.toFixed(2)} ms`

/**
 * Starts to measure processor time. Returns a function that returns what a number of requests took each. Unlike
 * requests a second, it hardly depends on what else the machine does.
 */
export async function startCpuClock(pid: number): Promise<(requests: number) => CpuTime> {
  const { rows } = await db().raw<{ rows: { pid: number }[] }>('select pg_backend_pid() as pid')
  const backend = rows[0]?.pid ?? 0
  const begun = { web: cpuMs(pid), postgres: serverCpuMs(backend) }
  return (requests) => ({
    web: (cpuMs(pid) - begun.web) / requests,
    postgres: (serverCpuMs(backend) - begun.postgres) / requests,
  })
}
