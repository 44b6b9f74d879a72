import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { findSignatureFault } from '#test/sandbox/bucket/signature.ts'

/** An object as the bucket serves it. */
export interface BucketObject {
  bytes: Buffer
  contentType: string
  cacheControl: string
}

export interface Bucket {
  endpoint: string
  /** By key. */
  objects: Map<string, BucketObject>
  /** The next requests that change something get this status, once each. */
  failNext(...statuses: number[]): void
  stop(): Promise<void>
}

export const BUCKET = {
  name: 'pictures',
  accessKeyId: 'AKIASANDBOX',
  secretAccessKey: 'sandbox/secret+key',
  region: 'eu-central-1',
}

/** Starts a stand-in for an S3-compatible service on 127.0.0.1, with one bucket that anyone can read. */
export async function startBucket(): Promise<Bucket> {
  const objects = new Map<string, BucketObject>()
  const failures: number[] = []
  const server = createServer((request, response) => {
    answer(request, response, { objects, failures }).catch(() => response.writeHead(500).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    failNext: (...statuses) => void failures.push(...statuses),
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

interface State {
  objects: Map<string, BucketObject>
  failures: number[]
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { objects, failures }: State,
): Promise<void> {
  const body = await buffer(request)
  const prefix = `/${BUCKET.name}/`
  const key = decodeURIComponent(request.url ?? '').slice(prefix.length)
  const found = objects.get(key)
  if (request.method === 'GET' && found)
    return void response.writeHead(200, { 'Content-Type': found.contentType }).end(found.bytes)
  if (request.method === 'GET' || !request.url?.startsWith(prefix)) return refuse(response, 404, 'NoSuchKey')
  const fault = findSignatureFault(request, body, BUCKET)
  if (fault) return refuse(response, 403, fault)
  const failure = failures.shift()
  if (failure) return refuse(response, failure, 'InternalError')
  if (request.method === 'PUT') {
    const { 'content-type': contentType = '', 'cache-control': cacheControl = '' } = request.headers
    objects.set(key, { bytes: body, contentType, cacheControl })
    return void response.writeHead(200).end()
  }
  objects.delete(key)
  response.writeHead(204).end()
}

const refuse = (response: ServerResponse, status: number, code: string) =>
  void response
    .writeHead(status, { 'Content-Type': 'application/xml' })
    .end(`<Error><Code>${code}</Code></Error>`)
