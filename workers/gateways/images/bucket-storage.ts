import { hash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import { CACHE_CONTROL, FILE_TYPE } from '#shared/images/files.ts'
import { config } from '#shared/platform/config/config.ts'
import { slicesOf } from '#shared/platform/slices-of.ts'
import type { ImageStorage } from './image-storage.ts'

const TIMEOUT_MS = 30_000
// Each object is removed by a request of its own: not all S3-compatible services remove several in one.
const PARALLEL_REMOVALS = 16

/**
 * Saves images in an S3-compatible bucket, signed with AWS Signature Version 4. The job of a failed call is retried.
 */
export function bucketStorage(): ImageStorage {
  const { S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = config()
  const client = new AwsClient({
    accessKeyId: S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: S3_SECRET_ACCESS_KEY ?? '',
    region: S3_REGION,
    service: 's3',
    retries: 0,
  })

  async function send(method: 'PUT' | 'DELETE', key: string, signal: AbortSignal, body?: Buffer) {
    const url = `${S3_ENDPOINT?.replace(/\/$/, '')}/${S3_BUCKET}/${key}`
    const response = await client.fetch(url, {
      method,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      redirect: 'error',
      headers: {
        'X-Amz-Content-Sha256': hash('sha256', body ?? '', 'hex'),
        ...(body ? { 'Content-Type': FILE_TYPE, 'Cache-Control': CACHE_CONTROL } : {}),
      },
      ...(body ? { body: new Uint8Array(body) } : {}),
    })
    await response.body?.cancel()
    const isGone = method === 'DELETE' && response.status === 404
    if (!response.ok && !isGone) throw new Error(`The bucket answers ${response.status} to ${method} ${key}`)
  }

  return {
    put: (key, bytes, signal) => send('PUT', key, signal, bytes),
    async remove(keys, signal) {
      for (const batch of slicesOf(keys, PARALLEL_REMOVALS))
        await Promise.all(batch.map((key) => send('DELETE', key, signal)))
    },
  }
}
