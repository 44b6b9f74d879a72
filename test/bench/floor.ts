import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import pg from 'pg'
import { fillIn, type Recipe } from './record.ts'

/**
 * The floor: bare node:http and pg. It returns the same bytes from the same rows with the same prepared
 * statements and does nothing else: no routing, no tenancy, no validation, no envelope code.
 */
export interface FloorPlan {
  databaseUrl: string
  storeId: string
  /** One statement whose first column is the data; `/name/number` selects one of `values`. */
  reads: Record<string, { text: string; values: string[][]; before: string; after: string[] }>
  /** The statements of a whole operation, and its response. */
  operations: Record<string, { recipe: Recipe[]; status: number; answer: string }>
}

const plan: FloorPlan = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8'), (_, value) =>
  value?.type === 'Buffer' ? Buffer.from(value.data) : value,
)
const pool = new pg.Pool({
  connectionString: plan.databaseUrl,
  max: 10,
  options: `-c app.store_id=${plan.storeId}`,
})

async function read(name: string, number: number): Promise<string> {
  const route = plan.reads[name]
  const values = route?.values[number]
  if (!route || !values) throw new Error(`No read ${name}/${number}`)
  const { rows } = await pool.query({ name, text: route.text, values, rowMode: 'array' })
  return route.before + String(rows[0]?.[0]) + route.after[number]
}

// pg parses json columns; the floor passes their text through, as the service does.
pg.types.setTypeParser(114, (text) => text)
pg.types.setTypeParser(3802, (text) => text)

async function operate(name: string, res: ServerResponse): Promise<void> {
  const operation = plan.operations[name]
  if (!operation) throw new Error(`No operation ${name}`)
  const client = await pool.connect()
  const made = new Map<number, unknown>()
  for (const [i, { text, slots }] of operation.recipe.entries()) {
    if (slots) await client.query({ name: `${name}${i}`, text, values: fillIn(slots, made) })
    else await client.query(text)
  }
  client.release()
  res.writeHead(operation.status, { 'Content-Type': 'application/json; charset=utf-8' }).end(operation.answer)
}

const server = createServer(async (req, res) => {
  const [, name = '', number] = (req.url ?? '').split('/')
  try {
    if (name in plan.operations) return await operate(name, res)
    const body = await read(name, Number(number))
    res.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' }).end(body)
  } catch (error) {
    res.writeHead(500).end(String(error))
  }
})
server.listen(Number(process.env.PORT), '127.0.0.1')
