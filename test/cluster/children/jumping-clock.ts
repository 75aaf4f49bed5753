// Is imported before a node: whoever asks for the time of the day gets one that is 5 seconds late, and then one that is 5 seconds early.
const { now } = Date
let asked = 0

Date.now = () => {
  asked += 1
  return now() + (asked % 2 === 0 ? 5000 : -5000)
}

globalThis.Date = new Proxy(Date, {
  construct: (target, given, wanted) =>
    Reflect.construct(target, given.length === 0 ? [target.now()] : given, wanted),
})
