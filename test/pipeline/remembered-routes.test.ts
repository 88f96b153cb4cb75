import { TrieRouter } from 'hono/router/trie-router'
import { expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { RememberedRoutes } from '../../src/pipeline/remembered-routes.ts'

test('a path is found as by the tree alone, the first time and again', () => {
  const { routes } = createApp()
  const [tree, remembered] = [new TrieRouter<string>(), new RememberedRoutes<string>()]
  routes.forEach(({ method, path }, nth) => {
    for (const router of [tree, remembered]) router.add(method, path, `${nth} ${method} ${path}`)
  })
  const paths = [...new Set(routes.map(({ path }) => path.replaceAll(/:\w+/g, 'one').replace('*', 'any')))]
  expect(paths.length).toBeGreaterThan(100)
  for (const path of [...paths, '/nowhere']) {
    for (const method of ['GET', 'POST', 'GET']) {
      expect(remembered.match(method, path), path).toEqual(tree.match(method, path))
    }
  }
})

test('what is in a path is told anew each time', () => {
  const router = new RememberedRoutes<string>()
  router.add('GET', '/keys/new', 'form')
  router.add('GET', '/keys/:id', 'key')
  const found = (path: string) => router.match('GET', path)[0]
  expect(found('/keys/a')).toEqual([['key', { id: 'a' }]])
  expect(found('/keys/b')).toEqual([['key', { id: 'b' }]])
  expect(found('/keys/new')).toEqual([
    ['form', {}],
    ['key', { id: 'new' }],
  ])
})

test('a route that comes later is found too', () => {
  const router = new RememberedRoutes<string>()
  router.add('GET', '/keys', 'list')
  expect(router.match('GET', '/keys')[0]).toHaveLength(1)
  router.add('ALL', '/keys', 'not allowed')
  expect(router.match('GET', '/keys')[0]).toHaveLength(2)
})
