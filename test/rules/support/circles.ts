/** A directed graph: each node with the nodes that it leads to. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>

export function toGraph(edges: Iterable<readonly [from: string, to: string]>): Graph {
  const graph = new Map<string, Set<string>>()
  for (const [from, to] of edges) {
    if (from === to) continue
    graph.set(from, (graph.get(from) ?? new Set()).add(to))
  }
  return graph
}

/** The shortest circle through each node that has one, each circle once: `a -> b -> a`. */
export function findCircles(graph: Graph): string[] {
  const circles = new Set<string>()
  for (const start of graph.keys()) {
    const path = findWayBack(graph, start)
    if (path) circles.add(writeCircle(path))
  }
  return [...circles].sort()
}

/** A breadth-first search from a node to itself. */
function findWayBack(graph: Graph, start: string): string[] | undefined {
  const previous = new Map<string, string>()
  const queue = [start]
  for (const node of queue)
    for (const next of graph.get(node) ?? []) {
      if (next === start) return pathTo(node, previous)
      if (previous.has(next)) continue
      previous.set(next, node)
      queue.push(next)
    }
  return undefined
}

function pathTo(end: string, previous: ReadonlyMap<string, string>): string[] {
  const path = [end]
  for (let node = previous.get(end); node !== undefined; node = previous.get(node)) path.unshift(node)
  return path
}

/** Begins with the first node by name, so that one circle is written in one way. */
function writeCircle(nodes: readonly string[]): string {
  const first = nodes.indexOf(nodes.toSorted()[0] ?? '')
  const rotated = [...nodes.slice(first), ...nodes.slice(0, first)]
  return [...rotated, rotated[0]].join(' -> ')
}
