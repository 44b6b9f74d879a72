import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

export const MIB = 1024 * 1024

/** The bytes of the heap that are in use after a collection of garbage. */
export function usedHeap(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}
