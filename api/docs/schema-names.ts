import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** The parts of an object's schema that decide its name. */
interface ObjectSchema {
  title?: string
  description?: string
  type: string | string[]
  properties: object
}

const isObjectSchema = (node: object): node is ObjectSchema =>
  'properties' in node && [(node as ObjectSchema).type].flat().includes('object')

/** Whether a schema also allows null, as `Nullable` makes it. */
export const allowsNull = ({ type }: { type?: unknown }): boolean =>
  Array.isArray(type) && type.includes('null')

/** Returns a text that is equal for schemas that differ only in title, description or whether they allow null. */
function shapeOf({ title: _, description: __, type: ___, ...rest }: ObjectSchema): string {
  return JSON.stringify(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** A schema of the API description that has a name. */
export interface NamedSchema {
  name: string
  schema: object
}

/**
 * The names of schemas in the API description. A schema has the name of its export: `OrderView` is `Order`, and
 * `CreateRefundRequest` keeps its name. A schema that a function makes has a `title` instead.
 */
export class SchemaNames {
  readonly #exports = new Map<object, string>()
  readonly #shapes = new Map<string, NamedSchema[]>()

  /** Names the schemas that a module exports. */
  addModule(exported: Record<string, unknown>): void {
    for (const [name, schema] of Object.entries(exported))
      if (isNamed(name) && typeof schema === 'object' && schema !== null)
        this.#add(name.replace(/View$/, ''), schema)
  }

  #add(name: string, schema: object): void {
    if (!isObjectSchema(schema) || allowsNull(schema)) {
      if ('anyOf' in schema) this.#exports.set(schema, name)
      return
    }
    this.#exports.set(schema, name)
    const shape = shapeOf(schema)
    this.#shapes.set(shape, [...(this.#shapes.get(shape) ?? []), { name, schema }])
  }

  /**
   * Returns the name of an exported schema, or of a copy of one. A copy is optional, nullable or has another
   * description. Throws if it could be a copy of several schemas.
   */
  find(schema: object): NamedSchema | undefined {
    const exported = this.#exports.get(schema)
    if (exported) return { name: exported, schema }
    if (!isObjectSchema(schema)) return
    if (schema.title) return { name: schema.title, schema }
    const [original, ...others] = this.#shapes.get(shapeOf(schema)) ?? []
    if (original && others.length)
      throw new Error(
        `A schema is a copy of ${[original, ...others].map(({ name }) => name).join(' or ')}. Export it with a name ` +
          'of its own.',
      )
    return original
  }
}

/** Parameters and queries are described one by one, and never as a schema. */
const isNamed = (name: string): boolean =>
  /^[A-Z][A-Za-z0-9]*[a-z]/.test(name) && !/(?:Params|Query)$/.test(name)

/** Returns the names of all schemas that modules of `api` and `shared` export. */
export async function readSchemaNames(): Promise<SchemaNames> {
  const names = new SchemaNames()
  const paths = await Array.fromAsync(glob('{api,shared}/**/*.ts', { cwd: ROOT }))
  for (const path of paths.sort())
    if (declaresSchemas(await readFile(join(ROOT, path), 'utf8')))
      names.addModule(await import(join(ROOT, path)))
  return names
}

const declaresSchemas = (text: string): boolean => /\b(?:Shape|Changes|schemaOf|Union)\(/.test(text)
