import { ref } from './components.ts'
import { allowsNull, type NamedSchema, type SchemaNames } from './schema-names.ts'

/** A recursive schema of TypeBox: `$defs` whose members refer to each other by `$id`. */
interface Recursive {
  $ref: string
  $defs: Record<string, Record<string, unknown>>
}

const isRecursive = (node: object): node is Recursive => '$defs' in node && '$ref' in node

type Members = Record<string, unknown>

/**
 * Copies a description and moves its named and its recursive schemas to components, beside the given ones. Client
 * generators name types after components, and do not resolve a `$ref` to an `$id`. Throws if two different schemas have
 * the same name.
 */
export function hoistSchemas<T>(
  description: T,
  names: SchemaNames,
  components: Record<string, object> = {},
): { hoisted: T; schemas: Record<string, unknown> } {
  const schemas: Record<string, unknown> = {}

  const copy = (node: unknown, ids: readonly string[]): unknown => {
    if (Array.isArray(node)) return node.map((item) => copy(item, ids))
    if (node === null || typeof node !== 'object') return node
    if (isRecursive(node)) return hoistRecursive(node)
    if ('$ref' in node && ids.includes(String(node.$ref))) return ref(String(node.$ref))
    const named = names.find(node)
    return named ? hoistNamed(node, named, ids) : copyMembers(node, ids)
  }

  const copyMembers = (node: object, ids: readonly string[]): Members =>
    Object.fromEntries(Object.entries(node).map(([key, value]) => [key, copy(value, ids)]))

  const hoistRecursive = ({ $ref, $defs }: Recursive): object => {
    for (const [name, { $id: _, ...schema }] of Object.entries($defs))
      add(name, copyMembers(schema, Object.keys($defs)))
    return ref($ref)
  }

  const hoistNamed = (
    node: { type?: unknown; description?: unknown },
    { name, schema }: NamedSchema,
    ids: readonly string[],
  ): object => {
    const { title: _, ...members } = copyMembers(schema, ids)
    add(name, allowsNull(members) ? { ...members, type: 'object' } : members)
    const described =
      node.description && node.description !== members.description ? { description: node.description } : {}
    return allowsNull(node)
      ? { anyOf: [ref(name), { type: 'null' }], ...described }
      : { ...ref(name), ...described }
  }

  const add = (name: string, schema: unknown): void => {
    if (name in schemas && JSON.stringify(schemas[name]) !== JSON.stringify(schema))
      throw new Error(`Two schemas are named ${name}. Rename one of them.`)
    schemas[name] = schema
  }

  for (const [name, schema] of Object.entries(components)) add(name, copyMembers(schema, []))
  return { hoisted: copy(description, []) as T, schemas: sortByName(schemas) }
}

const sortByName = <T>(byName: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(byName).sort(([a], [b]) => (a < b ? -1 : 1)))
