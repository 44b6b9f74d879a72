import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '#api/endpoints.ts'
import { withSharedLimits } from '#api/platform/rate-limits/limits.ts'

/** The gateway decides how often it sends, and its signature authenticates it. */
const UNLIMITED = ['/payments/stripe/webhook']

test('every operation counts a request before it reads its body; without an account it is counted by network too', () => {
  const missing = endpoints.filter(({ limits, access, path }) => {
    const early = withSharedLimits(limits).filter(({ counted }) => counted !== 'exact')
    const isByAccount = early.some(({ name }) => name === 'admin')
    return !UNLIMITED.includes(path) && !(isByAccount ? access.kind !== 'open' : early.some(isOfNetwork))
  })

  assert.deepEqual(
    missing.map(({ method, path }) => `${method} ${path}`),
    [],
  )
})

const isOfNetwork = ({ name }: { name: string }): boolean => name === 'network'
