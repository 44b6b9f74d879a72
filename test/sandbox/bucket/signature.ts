import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

interface Credentials {
  accessKeyId: string
  secretAccessKey: string
  region: string
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=(?<id>[^/]+)\/(?<scope>(?<day>\d{8})\/(?<region>[^/]+)\/s3\/aws4_request), ?SignedHeaders=(?<signed>[^,]+), ?Signature=(?<signature>[0-9a-f]{64})$/
const MUST_BE_SIGNED = ['host', 'x-amz-content-sha256', 'x-amz-date']
const MAX_SKEW_MS = 15 * 60_000

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()

/**
 * What is wrong with the signature of a request (AWS Signature Version 4, "Authenticating Requests: Using the
 * Authorization Header"), as the error code of S3; null when nothing is.
 */
export function findSignatureFault(
  request: IncomingMessage,
  body: Buffer,
  { accessKeyId, secretAccessKey, region }: Credentials,
): string | null {
  const { groups } = AUTHORIZATION.exec(request.headers.authorization ?? '') ?? {}
  if (!groups) return 'AccessDenied'
  const { id, scope = '', day = '', signed = '', signature = '' } = groups
  if (id !== accessKeyId) return 'InvalidAccessKeyId'
  if (groups.region !== region) return 'AuthorizationHeaderMalformed'
  const names = signed.split(';')
  if (!MUST_BE_SIGNED.every((name) => names.includes(name))) return 'AccessDenied'
  if (request.headers['x-amz-content-sha256'] !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  const at = String(request.headers['x-amz-date'])
  if (!at.startsWith(day) || skewOf(at) > MAX_SKEW_MS) return 'RequestTimeTooSkewed'

  const stringToSign = ['AWS4-HMAC-SHA256', at, scope, sha256(canonicalOf(request, names))].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`)
  const expected = hmac(key, stringToSign)
  return timingSafeEqual(expected, Buffer.from(signature, 'hex')) ? null : 'SignatureDoesNotMatch'
}

function canonicalOf({ method, url = '', headers }: IncomingMessage, names: string[]): string {
  const { pathname, searchParams } = new URL(url, 'http://bucket')
  searchParams.sort()
  return [
    method,
    pathname,
    searchParams.toString(),
    ...names.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names.join(';'),
    headers['x-amz-content-sha256'],
  ].join('\n')
}

/** The time is written as 20261122T093000Z. */
const skewOf = (at: string): number =>
  Math.abs(Date.now() - Date.parse(at.replace(/^(.{4})(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5')))
