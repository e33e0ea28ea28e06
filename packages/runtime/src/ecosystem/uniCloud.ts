/*
 * `uniCloud`, for modules that mention it: form fields of uni-ui can load their options from uni-app's cloud, and use
 * it when they are loaded, whether the project has a cloud or not. There is none here, so every request fails.
 */
interface Callbacks {
  fail?(error: Error): void
  complete?(error: Error): void
}

/** Any chain of properties and calls, whose result is a rejected promise. */
const request: unknown = new Proxy(() => {}, {
  get(_, name) {
    if (name !== 'then' && name !== 'catch' && name !== 'finally') return typeof name === 'symbol' ? undefined : request
    const failed = Promise.reject(new Error('uniCloud is not available'))
    return failed[name].bind(failed)
  },
  apply(_, __, [options]: [Callbacks?]) {
    if (typeof options !== 'object' || options === null) return request
    const error = new Error('uniCloud is not available')
    if (typeof options.fail === 'function') options.fail(error)
    if (typeof options.complete === 'function') options.complete(error)
    return request
  },
})

/** Props and state that components with a data source read. */
const mixinDatacom = {
  props: {
    localdata: { type: Array, default: () => [] },
    collection: { type: [String, Object], default: '' },
    action: { type: String, default: '' },
    field: { type: String, default: '' },
    orderby: { type: String, default: '' },
    where: { type: [String, Object], default: undefined },
    pageData: { type: String, default: 'add' },
    pageCurrent: { type: Number, default: 1 },
    pageSize: { type: Number, default: 20 },
    getcount: Boolean,
    getone: Boolean,
    gettree: Boolean,
    manual: Boolean,
  },
  data: () => ({
    mixinDatacomLoading: false,
    mixinDatacomHasMore: false,
    mixinDatacomResData: [],
    mixinDatacomErrorMessage: '',
    mixinDatacomPage: {},
  }),
}

const uniCloud: unknown = new Proxy({}, { get: (_, name) => (name === 'mixinDatacom' ? mixinDatacom : request) })

Object.assign(globalThis, { uniCloud })
