import { Type } from 'typebox'
import { staff } from '#api/platform/auth/access.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { createGeoZone as create } from '#shared/geo/create-geo-zone.ts'
import { deleteGeoZone as remove } from '#shared/geo/delete-geo-zone.ts'
import { GeoErrors } from '#shared/geo/errors.ts'
import { findGeoZone } from '#shared/geo/geo-zone.ts'
import { listMembers, replaceMembers } from '#shared/geo/geo-zone-members.ts'
import { GEO_ZONES, listGeoZones as list } from '#shared/geo/list-geo-zones.ts'
import { updateGeoZone as update } from '#shared/geo/update-geo-zone.ts'
import { GeoZoneMemberView, GeoZoneView, viewGeoZone, viewMember } from '#shared/geo/view.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { geoZoneExample as example, memberExample } from './examples.ts'
import {
  CreateGeoZoneRequest,
  GeoZoneParams,
  ReplaceGeoZoneMembersRequest,
  UpdateGeoZoneRequest,
} from './schemas.ts'

const geoZones = new Resource({
  path: '/admin/geo/geo-zones',
  audit: {
    resource: 'geo/geo-zones',
    create: 'postAdminGeoGeoZones',
    update: 'patchAdminGeoGeoZonesId',
    delete: 'deleteAdminGeoGeoZonesId',
  },
  params: GeoZoneParams,
  reads: staff('tax:read'),
  writes: staff('tax:write'),
  returns: GeoZoneView,
  view: viewGeoZone,
  tag: entityTag,
  example,
})

export const listGeoZones = geoZones.list({
  summary: 'List the geo zones, sorted by name',
  query: listQuery(GEO_ZONES),
  handle: ({ tx, query }) => list(tx, query),
})

export const createGeoZone = geoZones.create({
  summary: 'Create a geo zone: places with the same shipping methods and tax rates',
  description:
    'Its members are countries and parts of countries; without any it contains no place. Read them at `/members`.',
  body: CreateGeoZoneRequest,
  errors: [GeoErrors.zoneLimitReached],
  example: {
    body: { name: example.name, description: example.description, members: [{ country: 'DE' }] },
  },
  handle: ({ tx, body }) => create(tx, body),
})

export const readGeoZone = geoZones.read({
  summary: 'Read a geo zone',
  handle: ({ tx, params }) => findGeoZone(tx, params.id),
})

export const updateGeoZone = geoZones.update({
  summary: 'Change the name or the description of a geo zone',
  description: 'Change its members with `PUT …/members`.',
  body: UpdateGeoZoneRequest,
  example: { body: { name: example.name } },
  handle: ({ tx, params, body, ifMatch }) => update(tx, params.id, body, ifMatch),
})

export const deleteGeoZone = geoZones.delete({
  summary: 'Delete a geo zone that no tax rate and no shipping method uses',
  errors: [GeoErrors.zoneInUse],
  handle: ({ tx, params }) => remove(tx, params.id),
})

export const readGeoZoneMembers = endpoint({
  method: 'get',
  path: '/admin/geo/geo-zones/:id/members',
  access: staff('tax:read'),
  summary: 'List the members of a geo zone',
  params: GeoZoneParams,
  returns: [200, Type.Array(GeoZoneMemberView)],
  errors: [CommonErrors.notFound],
  example: { data: [memberExample] },
  async handle({ tx, params }) {
    return (await listMembers(tx, params.id)).map(viewMember)
  },
})

export const replaceGeoZoneMembers = endpoint({
  method: 'put',
  path: '/admin/geo/geo-zones/:id/members',
  access: staff('tax:write'),
  audit: { action: 'putAdminGeoGeoZonesIdMembers', resource: 'geo/geo-zones' },
  summary: 'Replace the members of a geo zone',
  description:
    'A member is a country, one of its zones, or postcodes of a country or zone. A zone includes the zones below it. ' +
    'Tax rates and shipping methods of the geo zone apply to the new members immediately.',
  params: GeoZoneParams,
  body: ReplaceGeoZoneMembersRequest,
  returns: [200, Type.Array(GeoZoneMemberView)],
  errors: [CommonErrors.notFound],
  example: { body: { members: [{ country: 'DE' }] }, data: [memberExample] },
  async handle({ tx, params, body }) {
    await replaceMembers(tx, params.id, body.members)
    return (await listMembers(tx, params.id)).map(viewMember)
  },
})
