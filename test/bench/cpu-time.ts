import { readdirSync, readFileSync } from 'node:fs'

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
