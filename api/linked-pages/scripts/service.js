// Calls the operations of the storefront. The service knows the store by the domain of the page.

/** An error of the service. `code` is one of its error codes. */
export class Refusal extends Error {
  constructor({ error, error_code }) {
    super(error)
    this.code = error_code
  }
}

/** Calls an operation, e.g. `GET /orders/1`, and returns its data. Throws `Refusal`. */
export async function call(line, { token, body, isRepeatable = false, keepalive = false } = {}) {
  const [method, path] = line.split(' ')
  const headers = {
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
    ...(isRepeatable ? { 'Idempotency-Key': newKey() } : {}),
    ...(body ? { 'Content-Type': 'application/json' } : {}),
  }
  const init = { method, headers, keepalive, ...(body ? { body: JSON.stringify(body) } : {}) }
  const response = await fetch(`/api/v1${path}`, init)
  const { data, ...rest } = await response.json()
  if (!response.ok) throw new Refusal(rest)
  return data
}

// `crypto.randomUUID` exists on pages over https only.
const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

const POLL_MS = 1_500
const POLLS = 20

/** Reads until `isOver(result)` is true, for at most 30 seconds. Returns the last result. */
export async function readUntil(read, isOver) {
  let found = await read()
  for (let polls = 0; polls < POLLS && !isOver(found); polls++) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    found = await read()
  }
  return found
}
