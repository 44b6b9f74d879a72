import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'

const KIB = 1_024

/** Resident memory of a process at several points of the run, by the point's name, in MiB. */
export type Resident = Record<string, number>

interface Footprint {
  web: Resident
  worker: Resident
  /** From the start of a web process to its first 200 of `/health/ready`, with the database running. */
  startMs: number
}

/** The service's resource use: rows of the table, like those of `compare`. */
export const tellFootprint = ({ web, worker, startMs }: Footprint): string[][] => [
  ['Resident memory, web', '', format(web), '', '≤ 150 MiB'],
  ['Resident memory, worker', '', format(worker), '', '≤ 150 MiB'],
  ['Start to ready, web', '', `${(startMs / 1_000).toFixed(1)} s`, '', '≤ 2 s'],
  ['Production packages', '', String(countProductionPackages()), '', '≤ 150'],
]

const format = (resident: Resident): string =>
  Object.entries(resident)
    .map(([moment, mib]) => `${mib} MiB ${moment}`)
    .join(', ')

/** The resident memory of a process now, in MiB; NaN without /proc. */
export function residentMib({ pid }: ChildProcess): number {
  try {
    const [, kib] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Math.round(Number(kib) / KIB)
  } catch {
    return Number.NaN
  }
}

/** Samples the resident memory of a process; the returned function ends this and returns the highest, in MiB. */
export function peakOf(child: ChildProcess): () => number {
  let peak = residentMib(child)
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMib(child))
  }, 100)
  return () => {
    clearInterval(timer)
    return Math.max(peak, residentMib(child))
  }
}

/** Every package that `npm ci --omit=dev` installs. */
function countProductionPackages(): number {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { dev?: true }>
  }
  return Object.entries(packages).filter(([path, { dev }]) => path && !dev).length
}
