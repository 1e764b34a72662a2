import { expect, test } from 'vitest'
import { canonicalAddress, isAliasService, isDisposable, mailboxOf, ownedDomain } from './canonical-address.ts'

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

test('a subdomain of a disposable mail domain is disposable too', () => {
  expect(['a@mailinator.com', 'a@x.yopmail.com', 'a@gmail.com', 'a@contoh.id'].map(isDisposable)).toEqual([
    ...[true, true, false, false],
  ])
})

test.each([
  'toko@sari.33mail.com',
  'toko@sari.33mail.com',
  'toko@sari.anonaddy.com',
  'toko@sari.anonaddy.me',
  'toko@addy.io',
  'toko@duck.com',
  'toko@mozmail.com',
  'toko@sari.mozmail.com',
  'toko@simplelogin.com',
  'toko@aleeas.com',
  'toko@SLMAILS.com',
  'toko@passmail.net',
  'toko@privaterelay.appleid.com',
])('%s is an address of an alias service', (email) => {
  expect(isAliasService(email)).toBe(true)
  const mailboxKey = Buffer.alloc(32, 'a')
  expect(mailboxOf(email, { mailboxKey, welcomesDisposable: false })).toEqual({ refused: 'alias' })
  expect(mailboxOf(email, { mailboxKey, welcomesDisposable: true })).toHaveProperty('hash')
})

test.each(['sari@gmail.com', 'sari@notduck.com', 'sari@33mail.com.contoh.id'])(
  '%s is not an address of an alias service',
  (email) => {
    expect(isAliasService(email)).toBe(false)
  },
)

test.each([
  ['sari@contoh.id', 'contoh.id'],
  ['sari@mail.contoh.id', 'contoh.id'],
  ['sari@a.b.toko.co.id', 'toko.co.id'],
  ['sari@x.sekolah.sch.id', 'sekolah.sch.id'],
  ['sari@x.example.com', 'example.com'],
  ['sari@x.co.example.com', 'example.com'],
  ['sari@gmail.com', undefined],
  ['sari@yahoo.co.id', undefined],
  ['sari@guru.sd.belajar.id', undefined],
])('%s belongs to the owner of %s', (email, domain) => {
  expect(ownedDomain(email)).toBe(domain)
})

test('a mailbox and its owner’s domain are identified by keyed hashes, which do not reveal the address', () => {
  const [one, other] = ['a', 'b'].map((key) => Buffer.alloc(32, key))
  const hash = (email: string, mailboxKey = one as Buffer) =>
    mailboxOf(email, { mailboxKey, welcomesDisposable: false }) as { hash: string; domain: string | undefined }
  expect(hash('sa.ri@gmail.com').hash).toMatch(/^[\w-]{43}$/)
  expect(hash('sa.ri@gmail.com')).toEqual(hash('sari+1@googlemail.com'))
  expect(hash('sari@gmail.com').hash).not.toBe(hash('sari@gmail.com', other).hash)
  expect(hash('sari@gmail.com').domain).toBeUndefined()
  expect(hash('sari@contoh.id').domain).toBe(hash('dewi@x.contoh.id').domain)
  expect(hash('sari@contoh.id').domain).toMatch(/^[\w-]{43}$/)
  expect(mailboxOf('sari@mailinator.com', { mailboxKey: one as Buffer, welcomesDisposable: false })).toEqual({
    refused: 'disposable',
  })
})
