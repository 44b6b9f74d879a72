import { RequestErrors } from '#api/platform/errors.ts'
import { type JsonBounds, measureJson } from '#shared/platform/http/measure-json.ts'
import { MAX_DEPTH, MAX_VALUES } from './text.ts'

/** The most different names of fields of a JSON body. The largest ones of the API have a few hundred. */
const MAX_NAMES = 5_000

const ADVICE: Record<keyof JsonBounds, string> = {
  levels: `the body is nested deeper than ${MAX_DEPTH} levels`,
  values: `the body holds more than ${MAX_VALUES} values`,
  names: `the body holds more than ${MAX_NAMES} different names of fields`,
}

/**
 * Returns a function that throws 400 as soon as the bytes of a body have too many values, levels or different names. It
 * accepts everything else that `rejectHostileJson` accepts.
 */
export function scanJson(): (bytes: Buffer) => void {
  const measure = measureJson({ levels: MAX_DEPTH, values: MAX_VALUES, names: MAX_NAMES })
  return (bytes) => {
    const excess = measure(bytes)
    if (excess) throw RequestErrors.malformed({ why: ADVICE[excess] })
  }
}
