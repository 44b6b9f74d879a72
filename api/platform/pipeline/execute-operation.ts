import type { Context } from 'koa'
import type { AuthContext } from '#api/platform/auth/auth-context.ts'
import { authenticate } from '#api/platform/auth/authenticate.ts'
import { addressesOf } from '#api/platform/auth/request-addresses.ts'
import { hashRequest, keyOf } from '#api/platform/idempotency/idempotency.ts'
import type { Input } from '#api/platform/input/input.ts'
import { languageOf } from '#api/platform/input/language.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import type { RequestInfo } from '#api/platform/operation/request-info.ts'
import type { SentResponse } from '#api/platform/output/reply.ts'
import { wantsCsv } from '#api/platform/output/send-csv.ts'
import { CsvFile } from '#shared/platform/csv/csv-file.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { TenantContext } from '#shared/stores/find-store.ts'
import { executeOnce } from './execute-once.ts'
import { completeResponse } from './render-response.ts'
import { type AuditedOperation, runOperation } from './run-operation.ts'

/**
 * Runs an operation with its checked input, and returns the response or the CSV file. With an Idempotency-Key, makes
 * the change at most once.
 */
export async function executeOperation(
  ctx: Context,
  operation: AuditedOperation,
  { tenant, context, principal }: AuthContext,
  input: Input,
): Promise<SentResponse | CsvFile> {
  const call = {
    ...context,
    store: tenant?.store ?? null,
    ...input,
    request: requestInfo(ctx, operation, tenant),
    ifMatch: ctx.req.headers['if-match'],
  }
  const reauthenticate = () => authenticate(ctx, operation.access)
  const storeId = operation.access.kind === 'open' ? null : (tenant?.store.id ?? null)
  const key = keyOf(ctx, operation)
  if (!storeId || !key) {
    const outcome = await runOperation(operation, storeId, call, { reauthenticate })
    return outcome instanceof CsvFile ? outcome : completeResponse(operation, call, outcome)
  }

  const isJson = operation.accepts === 'application/json'
  const hash = hashRequest(ctx.url, isJson ? input.body : ctx.get('Content-Length'))
  const name = `${operation.method} ${operation.path}`
  const keyed = { storeId, principal, operation: name, key, hash, holder: newId() }
  return executeOnce(ctx, { keyed, operation, call, reauthenticate })
}

const requestInfo = (ctx: Context, operation: Operation, tenant: TenantContext | undefined): RequestInfo => ({
  id: ctx.state.requestId,
  ip: addressesOf(ctx.req).ip,
  network: addressesOf(ctx.req).network,
  base: `${ctx.protocol}://${ctx.host}`,
  userAgent: ctx.get('User-Agent').slice(0, 300),
  language: languageOf(ctx, tenant),
  // Not a getter: it would give each object a hidden class of its own, which keeps the request in memory for seconds.
  wantsCsv: operation.csv !== undefined && wantsCsv(ctx),
  headers: ctx.req.headers,
  bodyBytes: ctx.state.bodyBytes ?? 0,
  stream: ctx.req,
  catalogVersion: tenant?.catalogVersion ?? '',
})
