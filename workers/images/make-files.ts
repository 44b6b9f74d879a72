import type { ChildProcess } from 'node:child_process'
import type { ContentType } from '#shared/images/content-type.ts'
import { FAILURES, type FailureReason } from '#shared/images/image.ts'
import { MAX_DECODER_BYTES } from '#shared/images/limits.ts'
import { runInProcess } from '#shared/platform/run-in-process.ts'
import { semaphore } from '#shared/platform/throttle/semaphore.ts'
import type { MadeFile } from './decode-image.ts'
import type { EncodedImage, ImageResult } from './image-process.ts'

const PROCESS = new URL('./image-process.ts', import.meta.url)
/** The time for all files of an image, including the start of the process. The largest photo takes a third of it. */
const TIMEOUT_MS = 60_000

/** Most images take less. A slower one is stopped, and runs again in the queue of slow images. */
const QUICK_MS = 5_000

// Decode one quick and one slow image at a time, because a large image takes hundreds of megabytes.
const withQuickPermit = semaphore({ permits: 1, maxWaiting: 100 })
const withSlowPermit = semaphore({ permits: 1, maxWaiting: 100 })

/** Thrown for an image that cannot be decoded. */
export class UndecodableImage extends Error {
  /** The reason for the staff of the store. The message is for logs, because a decoder wrote it. */
  readonly reason: FailureReason = FAILURES.undecodable
}

/** Thrown for an image whose time is over. */
class DecodingTimeout extends UndecodableImage {
  override message = FAILURES.tooSlow
  override readonly reason = FAILURES.tooSlow
}

/** Thrown for an image that takes too much memory. */
class DecodingOutOfMemory extends UndecodableImage {
  override message = FAILURES.tooLarge
  override readonly reason = FAILURES.tooLarge
}

interface Source {
  contentType: ContentType
  storeId: string
  quickMs?: number
  timeoutMs?: number
  maxMemoryBytes?: number
}

/**
 * Creates the files of an image, smallest first. Stores take turns with one image each. Slow images have a queue of
 * their own, so that they do not delay the images of other stores. Throws `UndecodableImage`.
 *
 * The decoders run in a separate process. It is killed at the end of its time: an AVIF of 20 MB can hold 100,000 frames
 * and keep its decoder at work for hours, and code of the same process cannot interrupt a decoder. The process ends
 * itself when it takes too much memory. If a decoder crashes, the worker continues. An attacker who controls a decoder
 * finds no secrets in the environment of its process.
 */
export async function makeFiles(
  bytes: Buffer,
  {
    contentType,
    storeId,
    quickMs = QUICK_MS,
    timeoutMs = TIMEOUT_MS,
    maxMemoryBytes = MAX_DECODER_BYTES,
  }: Source,
): Promise<MadeFile[]> {
  const image = { bytes, contentType, maxMemoryBytes }
  try {
    return await withQuickPermit(() => makeInProcess(image, quickMs), { caller: storeId })
  } catch (error) {
    if (!(error instanceof DecodingTimeout)) throw error
    return withSlowPermit(() => makeInProcess(image, timeoutMs), { caller: storeId })
  }
}

const makeInProcess = (image: EncodedImage, timeoutMs: number): Promise<MadeFile[]> =>
  runInProcess(PROCESS, image, (child) => readResult(child, timeoutMs), {
    execArgv: [],
    // Plain JSON would write the bytes as numbers.
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })

function readResult(child: ChildProcess, timeoutMs: number): Promise<MadeFile[]> {
  const { promise, resolve, reject } = Promise.withResolvers<MadeFile[]>()
  const timer = setTimeout(() => reject(new DecodingTimeout()), timeoutMs)
  child.once('message', (result: ImageResult) => {
    if ('files' in result) resolve(result.files)
    else reject('failure' in result ? new UndecodableImage(result.failure) : new DecodingOutOfMemory())
  })
  child.on('error', reject)
  child.once('exit', (code, signal) => reject(reasonOf(code, signal)))
  return promise.finally(() => clearTimeout(timer))
}

/** The signals that end a process whose decoder the image has crashed. */
const CRASHES = new Set<NodeJS.Signals | null>([
  'SIGSEGV',
  'SIGBUS',
  'SIGABRT',
  'SIGILL',
  'SIGFPE',
  'SIGTRAP',
])

/** Returns the error of an exit. Only a crash is the fault of the image. After any other end the job is retried. */
const reasonOf = (code: number | null, signal: NodeJS.Signals | null): Error =>
  CRASHES.has(signal)
    ? new UndecodableImage(`The decoder crashed with ${signal}`)
    : new Error(`The process of an image ended with ${signal ?? code}`)
