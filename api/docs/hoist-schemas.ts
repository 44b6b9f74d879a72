import { ref } from './components.ts'

/** A recursive schema of TypeBox: `$defs` whose members refer to each other by `$id`. */
interface Recursive {
  $ref: string
  $defs: Record<string, Record<string, unknown>>
}

const isRecursive = (node: object): node is Recursive => '$defs' in node && '$ref' in node

/**
 * Copies a description and moves its recursive schemas to components, because client generators resolve a `$ref` to a
 * component and not to an `$id`. Throws when two different schemas have one name.
 */
export function hoistSchemas<T>(description: T): { hoisted: T; schemas: Record<string, unknown> } {
  const schemas: Record<string, unknown> = {}

  const copy = (node: unknown, names: readonly string[]): unknown => {
    if (Array.isArray(node)) return node.map((item) => copy(item, names))
    if (node === null || typeof node !== 'object') return node
    if (isRecursive(node)) return hoist(node)
    if ('$ref' in node && names.includes(String(node.$ref))) return ref(String(node.$ref))
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, copy(value, names)]))
  }

  const hoist = ({ $ref, $defs }: Recursive): object => {
    for (const [name, { $id: _, ...schema }] of Object.entries($defs))
      add(name, copy(schema, Object.keys($defs)))
    return ref($ref)
  }

  const add = (name: string, schema: unknown): void => {
    if (name in schemas && JSON.stringify(schemas[name]) !== JSON.stringify(schema))
      throw new Error(`Two schemas are named ${name}. Rename one of them.`)
    schemas[name] = schema
  }

  return { hoisted: copy(description, []) as T, schemas }
}
