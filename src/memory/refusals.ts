import { UNSAFE_INTEGER } from '../core/http/json/unsafe-integers.ts'

/** Refusals of the operations of memory besides those of their schemas (`EndpointSpec.refusals`). */

/** Of every operation that names a project. */
export const PROJECT_REFUSALS = {
  no_default_project: 'no `project_id` is sent, and the credential has no default project or can no longer access it',
}

/** Of every operation that reads several items. */
export const FILTER_REFUSALS = {
  ...PROJECT_REFUSALS,
  ...UNSAFE_INTEGER,
  invalid_combination:
    'more than one of `namespace`, `namespaces` and `namespace_prefix` is sent, or `status` with `q`',
  too_deep: '`AND`, `OR` and `NOT` of a filter nest more than 4 levels deep',
  too_big: 'a filter has more than 32 conditions or 256 values in total',
  invalid_path: 'a metadata path has more than 256 characters',
}

/** Of every operation that stores an item. */
export const STORE_REFUSALS = {
  own_item: '`supersedes` names the item that the store updates or finds',
  other_place: '`supersedes` names an item of another project or namespace',
  wider_readers: '`supersedes` names an item that someone can read who cannot read the private one that replaces it',
  invalid_combination: '`supersede_reason` is sent without `supersedes`',
}

/** Of every operation that writes an item. */
export const ITEM_REFUSALS = {
  ...PROJECT_REFUSALS,
  ...UNSAFE_INTEGER,
  too_large: '`metadata` has more than 16 KiB as JSON',
  invalid_instant: '`occurred_at` is not a valid date, or is outside the years 0001 to 9999',
  duplicate: '`permissions` names a user twice, or `supersedes` an item',
  not_private: '`permissions` are sent, but `visibility` is not `private`',
  unknown_member: '`permissions` name a user who is not a member of the project',
  invalid_key: 'a key of `metadata` is `__proto__`',
  secret_found:
    'a secret was found, and the guard of the project refuses it; in a name, such as `custom_id`, it always does unless it is `off`',
}
