import { type CpuTime, cpuText, startCpuClock } from './cpu-time.ts'
import { type Load, measure } from './measure.ts'

interface Served {
  load: Load
  /** The web process, or that of the floor. */
  pid: number
}

/** The processor time of one visit, of the process that serves it and of PostgreSQL: a row of the table. */
export async function measureVisitCpu(floor: Served, ours: Served, seconds: number): Promise<string[]> {
  const [of, than] = [await cpuOf(floor, seconds), await cpuOf(ours, seconds)]
  const ratio = (than.web + than.postgres) / (of.web + of.postgres)
  return [
    'Processor time of a visit',
    cpuText(of),
    cpuText(than),
    `${ratio.toFixed(2)} ×`,
    '≤ 1 ms: half of two cores',
  ]
}

async function cpuOf({ load, pid }: Served, seconds: number): Promise<CpuTime> {
  const spent = await startCpuClock(pid)
  const { perSecond } = await measure(load, seconds)
  return spent(perSecond * seconds)
}
