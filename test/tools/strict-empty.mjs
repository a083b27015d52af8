// Preloaded into every test file: in a pattern of `match`, an empty list stands for an empty list. To tap it is any list.
import { Match } from 'tcompare'

const { test } = Match.prototype
Match.prototype.test = function () {
  const { object, expect } = this
  const isEmpty = Array.isArray(expect) && expect.length === 0
  return isEmpty && !(Array.isArray(object) && object.length === 0) ? false : test.call(this)
}
