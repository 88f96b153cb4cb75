import { hashPassword } from '../../src/auth/index.ts'
import { db, system } from './world.ts'

export const PASSWORD = 'correct horse battery'

let hash: Promise<string> | undefined

/** Gives a user the password of the tests. Hashed once a file: a hash costs 50 ms of CPU. */
export async function givePassword({ userId }: { userId: string }): Promise<void> {
  hash ??= hashPassword(system, PASSWORD)
  await db.write('update users set password_hash = :password_hash where id = :user', {
    password_hash: await hash,
    user: userId,
  })
}
