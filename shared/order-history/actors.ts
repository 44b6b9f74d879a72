import { type Static, Type } from 'typebox'
import { Customer } from '#shared/customers/customer.ts'
import { ORDER_ACTOR_TYPES, type OrderActor, type OrderActorType } from '#shared/orders/actor.ts'
import { isUuid } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Nullable, Shape, Uuid } from '#shared/platform/http/schema.ts'
import { ApiToken } from '#shared/staff/api-tokens/api-token.ts'
import { StaffMember } from '#shared/staff/staff-member.ts'

export const ActorView = Shape({
  type: Type.Enum([...ORDER_ACTOR_TYPES]),
  id: Nullable(Uuid),
  name: Type.String({ description: '`""` when the account no longer exists or was anonymized' }),
})
export type NamedActor = Static<typeof ActorView>

type Names = ReadonlyMap<string, string>

/** Names the actors of an order's history (`staff:<id>`, `gateway`, …), with one query for each kind of account. */
export async function nameActors(
  tx: StoreTx,
  actors: readonly OrderActor[],
): Promise<Map<string, NamedActor>> {
  const parsed = new Map(actors.map((actor) => [actor, parse(actor)]))
  const idsOf = (type: OrderActorType) =>
    [...parsed.values()].flatMap((actor) => (actor.type === type && actor.id ? [actor.id] : []))
  const names: Partial<Record<OrderActorType, Names>> = {
    staff: await namesOf(StaffMember.in(tx).findByIds(idsOf('staff'))),
    customer: await namesOf(Customer.in(tx).findByIds(idsOf('customer'))),
    api_token: new Map(
      (await ApiToken.in(tx).findByIds(idsOf('api_token'))).map(({ id, name }) => [id, name]),
    ),
  }
  const nameOf = ({ type, id }: ParsedActor): string => names[type]?.get(id ?? '') ?? ''
  return new Map([...parsed].map(([actor, account]) => [actor, { ...account, name: nameOf(account) }]))
}

type ParsedActor = Pick<NamedActor, 'type' | 'id'>

function parse(actor: OrderActor): ParsedActor {
  const [name = '', id = ''] = actor.split(':')
  const type = ORDER_ACTOR_TYPES.find((known) => known === name) ?? 'system'
  return { type, id: isUuid(id) ? id : null }
}

const namesOf = async (
  people: PromiseLike<{ id: string; firstname: string; lastname: string }[]>,
): Promise<Names> =>
  new Map((await people).map(({ id, firstname, lastname }) => [id, `${firstname} ${lastname}`.trim()]))
