import { endpoint } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { DeliverySchema, toDelivery, SAMPLE_DELIVERY } from './delivery.ts'
import { ownDelivery } from './own-delivery.ts'

export const getDeliveryEndpoint = endpoint({
  method: 'get',
  path: '/v1/events/deliveries/{id}',
  operationId: 'getDelivery',
  tag: 'events',
  summary: 'Get a delivery',
  scope: 'read:events',
  limit: 'read',
  audit: 'events.deliveries.get',
  params: IdParams,
  reply: { 200: DeliverySchema },
  errors: ['not_found'],
  example: { params: { id: SAMPLE_IDS.delivery }, reply: SAMPLE_DELIVERY },
}).handle(async ({ ctx, params }) => toDelivery(await ownDelivery(ctx, params.id)))
