import { expect, test } from 'vitest'
import { canonicalAddress, isDisposable, mailboxOf } from './mailbox.ts'

test.each([
  ['s.a.r.i+kredit@gmail.com', 'sari@gmail.com'],
  ['Sari@GoogleMail.com', 'sari@gmail.com'],
  ['sari+a+b@contoh.id', 'sari@contoh.id'],
  ['sa.ri@contoh.id', 'sa.ri@contoh.id'],
  ['sari-belanja@yahoo.co.id', 'sari@yahoo.co.id'],
  ['sari-belanja@ymail.com', 'sari@ymail.com'],
  ['sari-belanja@contoh.id', 'sari-belanja@contoh.id'],
  ['sari+x@outlook.co.id', 'sari@outlook.co.id'],
  ['sari@me.com', 'sari@icloud.com'],
  ['sa-ri_1.x@pm.me', 'sari1x@proton.me'],
  ['sa-ri@ya.ru', 'sari@yandex.ru'],
  ['belanja@sari.fastmail.com', 'sari@fastmail.com'],
  ['Apa+Saja@Sari.Fastmail.FM', 'sari@fastmail.com'],
  ['a@b.sari.fastmail.com', 'a@b.sari.fastmail.com'],
  ['a@notfastmail.com', 'a@notfastmail.com'],
  ['+x@gmail.com', '@gmail.com'],
  ['...@gmail.com', '...@gmail.com'],
])('%s reaches the mailbox %s', (email, mailbox) => {
  expect(canonicalAddress(email)).toBe(mailbox)
})

test('a domain below one for throwing away is one too', () => {
  expect(['a@mailinator.com', 'a@x.yopmail.com', 'a@gmail.com', 'a@contoh.id'].map(isDisposable)).toEqual([
    ...[true, true, false, false],
  ])
})

test('a mailbox is told by a hash of its key, which says nothing of the address', () => {
  const [one, other] = ['a', 'b'].map((key) => Buffer.alloc(32, key))
  const hash = (email: string, mailboxKey = one as Buffer) =>
    mailboxOf(email, { mailboxKey, welcomesDisposable: false })
  expect(hash('sa.ri@gmail.com')).toMatch(/^[\w-]{43}$/)
  expect(hash('sa.ri@gmail.com')).toBe(hash('sari+1@googlemail.com'))
  expect(hash('sari@gmail.com')).not.toBe(hash('sari@gmail.com', other))
  expect(hash('sari@mailinator.com')).toBeUndefined()
})
