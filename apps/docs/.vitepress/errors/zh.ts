import type { ErrorTexts } from './texts.ts'

export const zh: ErrorTexts = {
  code_unknown: {
    cause: '本安装的登录 code 中没有这个值：它被截断，在传输中被改动，或者属于另一套安装。',
    fix: '原样发送 `neu.login` 或 `neu.getAuthCode` 返回给小程序的 code。',
    when: 'code 被改动过',
  },
  code_expired: {
    cause: '`neu.login` 或 `neu.getAuthCode` 返回 code 之后，已经过了五分钟以上。',
    fix: '重新调用返回该 code 的函数，即 `neu.login` 或 `neu.getAuthCode`，并立即兑换新的 code。',
    when: 'code 已超过五分钟',
  },
  code_used: {
    cause: '这个 code 已经兑换过。由于两次兑换之一可能来自攻击者，第二次兑换还会吊销第一次得到的访问令牌。',
    fix: '每次兑换前，重新调用返回 code 的函数，即 `neu.login` 或 `neu.getAuthCode`。失败的请求可以在五分钟内原样重发，timestamp 和 sign 保持不变。',
    when: 'code 已经兑换过',
  },
  code_foreign: {
    cause: '取得 code 的页面属于另一个小程序，与兑换所用的 appid 不同。',
    fix: '用签发 code 的那个小程序的 appid 来兑换。',
    when: 'code 是签发给另一个小程序的',
  },
  scope_not_granted: {
    cause: '兑换时请求的 scope 中，没有一个是用户为这个 code 授权过的。',
    fix: '先用 `neu.getAuthCode` 向用户请求该 scope，再兑换它返回的 code。',
    when: '用户只授权了 user.info',
  },
  appid_invalid: {
    cause: '本安装中没有这个 appid 的小程序。每套安装有自己的 appid：沙箱与生产环境从不共用。',
    fix: '在控制台核对 appid。沙箱的 appid 在生产环境中不存在。',
    when: 'appid 属于另一套安装',
  },
  app_archived: {
    cause: '小程序已归档，因此用户和后端都不能使用它。',
    fix: '请项目的所有者恢复这个小程序。',
    when: '小程序已归档',
  },
  timestamp_not_milliseconds: {
    cause: 'timestamp 作为毫秒数太小或太大，通常是因为发送了秒数。',
    fix: '发送自 1970 年以来的毫秒数，例如 `Date.now()`，而不是秒数。',
  },
  timestamp_out_of_window: {
    cause: 'timestamp 与 Souk 的时钟相差超过五分钟：时钟不准，或者请求在签名之后等待了太久。',
    fix: '用 NTP 同步服务器的时钟，并在发送之前才为每个请求签名。',
    when: '请求的签名是五分钟以前做的',
  },
  sign_mismatch: {
    cause: '请求中的 `sign` 与 Souk 用请求参数和小程序密钥算出的结果不同。',
    fix: '运行 `souk sign --secret-file secret.txt --form "<请求正文>" --check <sign>`：它会指出哪一种常见错误会产生你的签名。在沙箱中，响应和控制台的请求日志也会说明。常见原因：密钥不对，参数没有排序，或者签名之前对值做了编码。',
    when: '签名用了另一个密钥，或者签名之后改动了参数',
  },
  capability_missing: {
    cause: '小程序调用的操作需要某项能力，例如支付或通知，而它没有这项能力。',
    fix: '在控制台中小程序的设置里申请这项能力，由运营方批准。',
    when: '小程序没有这项能力',
  },
  parameters_ambiguous: {
    cause: '某个值里含有另一个参数的名称，后面跟着 `=`。待签名字符串没有分隔符，所以同一个签名也适用于另一组参数。',
    fix: '待签名的文本没有分隔符，因此含有“参数名加 `=`”的值会产生歧义。在文本中写成 `name =`，在 URL 中写成 `name%3D`。',
    when: '这段文本也可以读成两个参数',
  },
  sign_reused: {
    cause: '参数、timestamp 和 sign 都相同的另一个请求已经执行过。一个签名只能用于一次执行。',
    fix: '这个请求没有执行：请用新的 timestamp 重新签名。每个请求使用各自的 timestamp，多个进程之间也不要重复。',
    when: '同一个签名已用于另一个操作',
  },
  parameter_missing: {
    cause: '请求缺少操作必需的参数，或者该参数需要值却为空。',
    fix: '发送 `msg` 或 `detail` 指出的参数。参考文档列出了必需的参数。',
  },
  parameter_invalid: {
    cause: '某个参数值的类型、格式或大小不符合约定，例如金额用了里亚尔而不是分。',
    fix: '改正消息中指出的参数；消息说明了允许的值。',
  },
  parameter_unknown: {
    cause: '请求中有操作没有定义的参数：通常是名称拼写错误，或者它属于更新的版本。',
    fix: '对照参考文档检查拼写，名称区分大小写。如果服务器比你的客户端旧，请去掉这个参数。',
  },
  parameter_repeated: {
    cause: '同一个参数在请求中出现两次，例如查询字符串和正文中各有一个，因此取哪个值并不明确。',
    fix: '每个参数只发送一次，放在查询字符串或正文之一中。',
  },
  parameter_malformed: {
    cause: '查询字符串、表单或 JSON 正文无法解码：多余的 `%`，不是 UTF-8 的字节，或者 JSON 有语法错误。',
    fix: '查询字符串和表单请用 UTF-8 做百分号编码，JSON 正文必须是有效的 JSON。',
  },
  parameter_control_character: {
    cause: '文本中含有无法显示的字符，例如 NUL，往往来自数据库或剪贴板。',
    fix: '从值中去掉控制字符，例如 NUL。',
  },
  body_unsupported: {
    cause: '正文的 `Content-Type` 不是操作能读取的类型，或者没有这个请求头。',
    fix: '把 `Content-Type` 设为参考文档为该操作指定的类型，通常是 `application/json`。',
  },
  body_too_large: {
    cause: '正文超过了操作的上限。JSON 和表单的上限远低于文件。',
    fix: '发送更小的正文。把大批量导入拆成多个请求：`souk datasets append` 就是这样做的。',
  },
  host_unknown: {
    cause: '`Host` 请求头中的地址既不是 `SOUK_PUBLIC_URL` 的地址，也没有列在 `SOUK_ALLOWED_HOSTS` 中。',
    fix: '用 `SOUK_PUBLIC_URL` 中的主机名访问服务器，或请运营方更正该设置。代理必须转发 `Host` 请求头。',
  },
  internal: {
    cause: 'Souk 或它所在的机器有缺陷：请求遇到了意料之外的情况。',
    fix: '重试一次。如果仍然失败，请把请求编号发给运营方，他们能在日志中找到原因。',
    when: 'Souk 有缺陷',
  },
  unavailable: {
    cause: '进程正在启动、停止或过载，或者数据库没有响应。',
    fix: '等待 `Retry-After` 给出的秒数后重试，或稍后重试。',
    when: '数据库正在切换',
  },
  read_only: {
    cause: '安装正在迁移或升级，或者它的数据库变成了备库。',
    fix: '稍后重试。安装正在迁移、升级或切换。',
    when: '安装正在迁移',
  },
  method_not_allowed: {
    cause: '这个路径存在，但不接受这个方法，例如用 GET 调用会改变数据的操作。',
    fix: '使用参考文档为该操作指定的方法。',
  },
  rate_limited: {
    cause: '小程序、账号或 IP 地址在最近几秒内发送的请求超过了上限。',
    fix: '等待 `Retry-After` 给出的秒数后重试，并把请求分散开。',
    when: '小程序发送的请求超过了 SOUK_RATE_LIMIT',
  },
  access_token_invalid: {
    cause: '访问令牌已过期、已被吊销，或者属于另一个小程序。',
    fix: '请用户重新登录，并兑换新的 code。',
    when: '访问令牌已过期',
  },
  open_id_unknown: {
    cause: '这个 `openId` 是签发给另一个小程序或由另一套安装签发的，或者它的用户已被抹除。',
    fix: '使用本小程序登录时返回的 `openId`。每个小程序有自己的 openId；已抹除用户的 openId 不再存在。',
    when: 'openId 属于另一个小程序',
  },
  merchant_foreign: {
    cause: '`merchantId` 指向的商户没有分配给这个小程序。',
    fix: '把 `merchantId` 留空以使用小程序自己的商户，或发送控制台设置中显示的编号。',
    when: '商户属于另一个小程序',
  },
  notify_url_refused: {
    cause:
      'URL 不是 `https`，含有私有 IP 地址，或带有查询字符串或片段。域名在投递时才解析，因此解析到私有地址的域名会在那时失败。',
    fix: '使用公网地址的 URL，不带查询字符串和片段。如果主机在私有网络中，由管理员在小程序设置的 **私有回调主机** 中填写，或通过 `SOUK_PRIVATE_HOSTS` 为所有小程序设置。',
    when: '地址是私有地址',
  },
  out_trade_no_conflict: {
    cause: '该商户已有使用这个 `outTradeNo` 的交易，但金额、用户或其他值不同。',
    fix: '新订单请使用新的 `outTradeNo`。要重复请求，请发送完全相同的值。',
    when: '使用这个 outTradeNo 的交易金额不同',
  },
  trade_not_found: {
    cause: '本小程序没有这个编号的交易：编号输入有误，或者它属于另一个小程序或另一套安装。',
    fix: '检查 `tradeNo` 和 `outTradeNo`，以及交易是否属于这个小程序。',
    when: '交易属于另一个小程序',
  },
  trade_archived: {
    cause: '交易太久远，它所在的月份已移出数据库。',
    fix: '请运营方用 `souk partitions restore` 恢复该分区。',
    when: '交易所在的月份已归档',
  },
  trade_not_processing: {
    cause: '请求到达之前，交易已进入最终状态，因此不能关闭。',
    fix: '查询交易。它已支付、已关闭、已取消或已过期。',
    when: '交易已支付',
  },
  payment_in_flight: {
    cause: '用户此刻正在付款，因此交易既不能关闭，也不能再次支付。',
    fix: '等待付款有最终结果，然后查询交易。',
    when: '用户正在支付服务商的收银台中',
  },
  out_refund_no_conflict: {
    cause: '该商户已有使用这个 `outRefundNo` 的退款，但交易或金额不同。',
    fix: '新的退款请使用新的 `outRefundNo`。要重复请求，请发送完全相同的值。',
    when: '这个编号属于另一笔退款',
  },
  trade_not_refundable: {
    cause: '这笔交易没有到账的款项：未支付、失败、已关闭或已过期。',
    fix: '只有已支付的交易才能退款。请查询交易。',
    when: '交易未支付',
  },
  refund_too_large: {
    cause: '金额超过了此前退款之后剩余的付款金额。',
    fix: '最多退还剩余的金额，消息中给出了这个数。',
    when: '12.50 中已经退还了 10.00',
  },
  refund_not_found: {
    cause: '本小程序没有这个编号的退款，或者它不是由后端申请的。',
    fix: '检查 `refundNo`，以及退款是否由本小程序的后端申请。',
    when: '退款是在控制台中发起的',
  },
  recipients_unknown: {
    cause: '所给的 `openId` 中，没有一个是签发给本小程序的。',
    fix: '使用本小程序用户信息中的 `openId`。',
    when: '这些 openId 属于另一个小程序',
  },
  testers_only: {
    cause: '小程序有版本，但都没有发布，而消息的接收者不是它的测试人员。',
    fix: '发布一个版本，或只发送给测试人员。',
    when: '有接收者不是测试人员',
  },
  file_missing: {
    cause: 'multipart 正文中没有名为 `fileData` 的部分，或者请求不是 multipart。',
    fix: '在 `multipart/form-data` 正文中，把文件作为 `fileData` 部分发送。',
  },
  file_unsupported: {
    cause: '无论文件名如何，其内容都不是受支持类型的图片。',
    fix: '发送 PNG、JPEG、GIF 或 WebP 图片。类型按内容判断，而不是按文件名。',
    when: '文件是 SVG 或 PDF',
  },
  file_too_large: {
    cause: '文件超过了操作的上限，消息中给出了这个上限。',
    fix: '缩小文件，例如降低图片的分辨率，使它不超过消息中给出的大小。',
    when: '文件大于上限',
  },
  storage_unavailable: {
    cause: '对象存储没有响应，或者拒绝了本安装的密钥。',
    fix: '稍后重试。运营方可以用 `souk storage status` 检查对象存储。',
    when: '无法访问存储桶',
  },
  api_key_invalid: {
    cause: '请求没有 `X-API-Key`，或者该密钥已刷新、属于另一套环境，或属于已停用的账号。',
    fix: '在 `X-API-Key` 中发送密钥。控制台在“个人资料”的“API 密钥管理”中显示它。每套环境有自己的密钥。',
    when: '密钥已刷新',
  },
  token_invalid: {
    cause: '平台数据接口的 Bearer 令牌不存在或已过期。令牌优先于密钥。',
    fix: '发送带有效令牌的 `Authorization: Bearer …`，或者只发送 `X-API-Key` 而不带 `Authorization`。',
    when: '令牌已过期',
  },
  admin_token_disabled: {
    cause: '管理员已为整套安装停用管理员令牌。',
    fix: '用管理员账号登录，或使用服务账号。',
    when: '管理员令牌已停用',
  },
  service_token_invalid: {
    cause: '令牌以 `souk_sa_` 开头，但没有服务账号使用它：它被截断，或者属于另一套安装。',
    fix: '检查 `SOUK_TOKEN` 中是否是完整的令牌。如果令牌已丢失，由所有者添加另一个服务账号。',
    when: '令牌属于另一套安装',
  },
  service_account_expired: {
    cause: '令牌只在创建服务账号时选定的到期日之前有效。',
    fix: '添加一个到期日更晚的服务账号，并把它的令牌保存到程序中。',
    when: '服务账号已过期',
  },
  service_account_removed: {
    cause: '项目的所有者已移除这个令牌的服务账号。',
    fix: '使用另一个服务账号的令牌。',
    when: '服务账号已被移除',
  },
  project_archived: {
    cause: '项目已归档，其中的小程序也随之归档。',
    fix: '请项目的所有者在控制台的“已归档”中恢复它。',
    when: '项目已归档',
  },
  scope_missing: {
    cause: '添加服务账号时，没有给它这个操作所需的 scope。',
    fix: '请所有者添加一个服务账号，带有 `data.scopes` 中的任一 scope。如果列表为空，服务账号不能执行这个操作：请使用账号或管理员令牌。',
    when: '服务账号没有 releases:publish',
  },
  permission_denied: {
    cause: '调用者在项目中的角色不包含这项权限，或者调用者不是项目成员。',
    fix: '请项目的所有者授予具有该权限的角色。参考文档列出了这些角色。',
    when: '账号不是项目的所有者',
  },
  project_not_found: {
    cause: '没有这个编号的项目，或者调用者不是它的成员。',
    fix: '检查编号，以及你是否是项目的成员。',
    when: '调用者不是成员',
  },
  dataset_name_taken: {
    cause: '数据集的名称在项目中必须唯一，而这个名称已被使用。',
    fix: '换一个名称，或者把数据追加到已有的那个数据集。',
    when: '名称已被使用',
  },
  dataset_not_found: {
    cause: '没有这个编号的数据集。内置数据集的编号形如 `<projectId>.trades`。',
    fix: '检查数据集的编号：`souk datasets list --project <projectId>` 会列出它们。',
    when: '数据集已被删除',
  },
  dataset_built_in: {
    cause: '内置数据集展示 Souk 存储的数据，因此不能追加、修改或删除其中的记录。',
    fix: '为你要写入的数据创建自己的数据集。',
    when: '数据集是内置的',
  },
  filter_too_broad: {
    cause: '筛选条件无法使用索引，数据库需要读取的记录太多，来不及在时限内完成。',
    fix: '添加能缩小范围的条件：时间范围，例如 `ctime>=2026-01-01`，`appid=`，或指南中列出的有索引的字段。重复请求没有用。',
    when: '数百万条记录没有限定时间范围',
  },
  batch_conflict: {
    cause: '这个 `batchId` 在一天之内已用于其他记录。',
    fix: '其他记录请使用新的 `batchId`。要重复请求，请发送完全相同的记录。',
    when: 'batchId 已用于其他记录',
  },
  request_malformed: {
    cause: '连接上收到的字节不是有效的 HTTP 请求：请求头有误，或者请求被代理改动过。',
    fix: '使用 HTTP 库，不要手写请求，并检查中间的代理。',
  },
  request_timeout: {
    cause: '请求头或正文没有在 `SOUK_REQUEST_TIMEOUT`（120 秒）之内到达：网络太慢，或者客户端停止了发送。',
    fix: '重新发送请求。如果经常发生，请检查网络和中间的代理。',
  },
  headers_too_large: {
    cause: '请求头超过了服务器的上限。',
    fix: '减少或缩短请求头。常见原因是同一域名下其他应用的 Cookie。',
  },
  route_unknown: {
    cause: '没有使用这个路径的操作：路径拼写错误，属于其他版本，或者被代理去掉了一部分。',
    fix: '对照参考文档检查方法和路径，并确认没有代理改动路径。',
  },
  admin_token_invalid: {
    cause: 'Bearer 令牌不是当前的管理员令牌：令牌已轮换、属于另一套安装，或者被截断。',
    fix: '使用数据目录中 `admin-token` 文件里的令牌，取消已过时的 `SOUK_ADMIN_TOKEN`，或者用账号登录。',
    when: '令牌已轮换',
  },
  app_not_found: {
    cause: '没有这个 appid 的小程序，或者调用者不是其项目的成员。',
    fix: '检查 appid，以及你是否是其项目的成员。',
    when: '调用者不是项目的成员',
  },
  release_refused: {
    cause: '归档文件的顶层缺少必需的文件，含有版本不允许的内容，或者不是 .tar.gz。',
    fix: '改正消息中指出的问题，并用 `souk upload` 上传，它会先检查版本。',
    when: 'index.html 不在归档文件的顶层',
  },
  source_maps_refused: {
    cause: '归档文件中没有源码映射，或者其中的源码映射对应的脚本不在这个版本中。',
    fix: '重新构建这个版本，并用 `souk source-maps` 发送它的源码映射。',
    when: '源码映射属于另一次构建',
  },
  release_not_found: {
    cause: '版本已被删除，或者属于另一个小程序。',
    fix: '在版本列表中检查版本的编号，以及它是否已被删除。',
    when: '版本已被删除',
  },
  release_stage_conflict: {
    cause: '版本所处的阶段与操作要求的不同，例如它已经发布。',
    fix: '重新加载版本；消息说明了哪个阶段允许这个操作。',
    when: '版本已发布',
  },
  release_limit_reached: {
    cause: '小程序的版本数量已达上限。',
    fix: '在小程序的“版本发布”页面删除一个不再使用的版本。',
    when: '已达上限',
  },
  release_version_taken: {
    cause: '对一个平台而言，一个版本号只对应一个版本，而这个版本号已经存在。',
    fix: '换一个版本号上传：`souk upload --version 1.0.1`。',
    when: '该平台已有 1.4.0',
  },
  release_unsigned: {
    cause: '已设置 `SOUK_REQUIRE_SIGNED_RELEASES`，而这个版本没有已批准密钥的签名。',
    fix: '用 `souk signing-keys show` 创建密钥，请运营方批准，然后重新上传：`souk upload` 会用它签名。',
    when: '版本没有签名',
  },
  release_review_required: {
    cause: '管理员要求每次发布之前都要审核，而这个版本没有已通过的审核。',
    fix: '提交版本，等待审核通过。',
    when: '版本没有经过审核',
  },
  review_not_found: {
    cause: '审核已撤回，或者编号有误。',
    fix: '重新加载审核列表，并检查编号：`souk review list`。',
    when: '审核已撤回',
  },
  review_state_conflict: {
    cause: '审核的状态与操作要求的不同，因为其他人已作出决定或已撤回。',
    fix: '重新加载审核；其他人已更改了它。',
    when: '审核在此期间被驳回',
  },
  canary_not_found: {
    cause: '版本没有灰度发布：从未开始，或者已经结束。',
    fix: '重新加载版本：它的灰度发布已结束；也可以重新开始一次。',
    when: '灰度发布已结束',
  },
  canary_state_conflict: {
    cause: '灰度发布的状态与操作要求的不同，例如已暂停或已自动停止。',
    fix: '重新加载灰度发布；它在此期间被暂停、继续或结束。',
    when: '灰度发布已暂停',
  },
  release_signature_invalid: {
    cause: '签名与归档文件、appid 和版本号不符，或者是用另一个密钥签的。',
    fix: '用请求中指出的密钥，对要上传的那个归档文件本身签名：`souk upload` 会完成这两步。',
    when: '签名之后重新打包了归档文件',
  },
  signing_key_not_found: {
    cause: '这个密钥没有在本安装中注册。',
    fix: '在控制台的“个人资料”中注册 `souk signing-keys show` 输出的公钥。',
    when: '密钥没有注册',
  },
  signing_key_foreign: {
    cause: '密钥由另一个账号注册，而不是上传版本的账号。',
    fix: '用上传账号自己的密钥签名：把 `SOUK_SIGNING_KEY` 设为它的文件。',
    when: '密钥属于另一个账号',
  },
  signing_key_revoked: {
    cause: '密钥已被吊销，例如因为它所在的机器丢失。它再也不能用于签名。',
    fix: '删除已吊销密钥的文件，再用 `souk signing-keys show` 创建并注册一个新密钥。',
    when: '密钥已吊销',
  },
  signing_key_pending: {
    cause: '本安装只接受已批准的密钥，而这个密钥尚未批准。',
    fix: '请运营方批准密钥：`souk signing-keys approve <keyId>`。',
    when: '密钥等待批准',
  },
  signing_key_limit_reached: {
    cause: '账号的签名密钥数量已达上限。',
    fix: '吊销一个所在机器已不再使用的密钥。',
    when: '已达上限',
  },
  change_request_not_found: {
    cause: '变更申请已撤回，或者编号有误。',
    fix: '重新加载申请列表：`souk approvals list` 会列出待审批的申请。',
    when: '申请已撤回',
  },
  change_request_closed: {
    cause: '在此期间，其他人已批准、驳回或撤回了这个申请。',
    fix: '重新加载申请；它已有结果或已撤回。',
    when: '申请在此期间被驳回',
  },
  own_change_request: {
    cause: '变更申请须由提交者以外的人批准，这样才有两个人看过它。',
    fix: '请另一位有权批准申请的人来批准。',
    when: '申请是调用者自己提交的',
  },
  app_not_archived: {
    cause: '只有已归档的小程序才能恢复或删除，而这个小程序正在使用。',
    fix: '先归档小程序：`souk app archive <appid>`。',
    when: '小程序正在使用',
  },
  app_unfinished: {
    cause: '有未支付的交易、未完成的退款，或等待投递的回调。',
    fix: '等待小程序的支付、退款和回调全部完成，然后重试。',
    when: '有回调在等待投递',
  },
  callback_not_found: {
    cause: '没有这个编号的回调，或者它属于调用者看不到的项目。',
    fix: '检查回调的编号：`souk callbacks list` 会列出它们。',
    when: '编号属于另一套安装',
  },
  callback_archived: {
    cause: '回调太久远，它所在的月份已移出数据库。',
    fix: '请运营方用 `souk partitions restore` 恢复该分区。',
    when: '回调所在的月份已归档',
  },
  request_not_found: {
    cause: '请求早于 `SOUK_REQUEST_LOG_RETENTION`（7 天），或者编号输入有误。',
    fix: '请求日志只保留一段时间。请重新发送请求，再查看它。',
    when: '请求已超过一周',
  },
  file_not_found: {
    cause: '没有这个地址的文件：文件已删除，地址输入有误，或者它所属的嵌入页面只能从本服务器加载它。',
    fix: '检查文件的地址；如果文件已删除，请重新上传。',
    when: '截图没有上传',
  },
  package_not_found: {
    cause: 'Souk 的 registry 只有它自己的包，每个包只有一个版本。',
    fix: '检查名称。registry 只有 `@souk` 下的包，版本与服务器相同。',
  },
  sandbox_only: {
    cause: '这个操作可以指定结果、用户或时间，而生产环境不允许任何人这样做。',
    fix: '使用沙箱。生产环境中没有沙箱的操作。',
    when: '当前是生产环境',
  },
  consent_refused: {
    cause: '向用户请求数据授权时，用户拒绝了。',
    fix: '尊重用户的决定。等用户开始使用需要授权的功能时再请求。',
    when: '用户拒绝授权',
  },
  payment_not_pending: {
    cause: '要继续的付款已经结束，或者从未开始。',
    fix: '查询交易；它的付款已结束或没有开始。',
    when: '付款已结束',
  },
  payment_mismatch: {
    cause: '收银台显示的金额或币种与交易的不同。',
    fix: '重新加载交易，并向付款人显示当前的金额。',
    when: '收银台显示的是另一个金额',
  },
  webhook_refused: {
    cause: '支付服务商发来的消息，其签名无法用该账户的 webhook 密钥验证。',
    fix: '检查支付账户的 webhook 密钥，并确认没有代理改动正文。',
  },
  inspection_not_found: {
    cause: '调试已被一方结束，或者 15 分钟没有使用而结束。',
    fix: '在控制台中重新开始调试。',
    when: '调试已结束',
  },
  inspection_code_invalid: {
    cause: '二维码已被扫描过、已超过十分钟，或者不是本安装的。',
    fix: '在控制台中生成新的二维码，并在十分钟内扫描。',
    when: '二维码已被扫描过',
  },
  inspection_limit_reached: {
    cause: '一个项目可以同时进行五次调试，现在五次都在进行中。',
    fix: '先结束项目中的一次调试，或等待未使用的一次过期。',
    when: '五次调试正在进行',
  },
  user_not_found: {
    cause: '宿主中没有这个 uid 的用户。',
    fix: '检查用户的 uid：`souk users list` 可以按姓名查找用户。',
    when: 'uid 属于另一套安装',
  },
  user_disabled: {
    cause: '管理员已停用这个宿主用户。',
    fix: '请运营方启用用户：`souk users enable <uid>`。',
    when: '用户已停用',
  },
  user_erased: {
    cause: '用户已被永久抹除，因此既不能启用也不能停用。',
    fix: '已抹除的用户无法恢复。此人可以作为新用户登录。',
    when: '用户已被抹除',
  },
  session_invalid: {
    cause: '请求没有会话，或者会话已过期，或已在别处结束。',
    fix: '重新登录，并在每个请求中发送新的会话。',
    when: '会话已过期',
  },
  grant_type_unsupported: {
    cause: '请求要求的兑换方式是 Souk 没有的。',
    fix: '使用参考文档列出的 grant type：令牌交换，或 `refresh_token`。',
    when: '使用了其他 grant type',
  },
  token_malformed: {
    cause: '这个值不是已签名的 JWT：它被截断、加了引号，或者是不透明的访问令牌。',
    fix: '原样发送令牌，即用点分隔的三个部分。',
    when: '令牌被截断',
  },
  token_issuer_unknown: {
    cause: '令牌的声明 `iss` 与本安装信任的签发方没有一个逐字相同。',
    fix: '把 `iss` 与 `souk issuers list` 的输出对照；如果缺少这个签发方，请运营方添加。',
    when: '签发方不受信任',
  },
  token_audience_wrong: {
    cause: '令牌的声明 `aud` 不包含为其签发方配置的受众。',
    fix: '为控制台中该签发方配置的受众签发令牌。',
    when: '令牌是签发给其他受众的',
  },
  token_algorithm_refused: {
    cause: '令牌用对称算法签名、没有签名，或者用了该签发方不可使用的算法。',
    fix: '用签发方允许的非对称算法为令牌签名。',
    when: '令牌用 HS256 签名',
  },
  token_time_invalid: {
    cause: '令牌已过期、尚未生效，或者有效期过长。',
    fix: '在使用之前才签发令牌，并同步各台机器的时钟。',
    when: '令牌已过期',
  },
  token_signature_invalid: {
    cause: '签发方的密钥都无法验证这个签名：令牌被改动过，或者密钥没有公布。',
    fix: '用签发方密钥集中的密钥签名。',
    when: '签发方没有公布这个密钥',
  },
  token_claim_missing: {
    cause: '令牌缺少 Souk 需要的声明，例如 `sub` 或 `exp`。',
    fix: '在签发方的令牌中加入消息指出的声明。',
    when: '令牌没有 sub',
  },
  token_replayed: {
    cause: '带有这个 `jti` 的令牌已经兑换过。每个令牌只能兑换一次。',
    fix: '每次兑换都签发一个带有新 `jti` 的令牌。',
    when: '令牌已经兑换过',
  },
  refresh_token_invalid: {
    cause: '刷新令牌不存在、超过 30 天而过期，或者它的登录已被吊销。',
    fix: '请用户重新登录：用签发方的新令牌兑换。',
    when: '登录已被吊销',
  },
  refresh_token_reused: {
    cause: '每个刷新令牌只能用一次。第二次使用说明它可能已被他人取得，因此整个登录已结束。',
    fix: '请用户重新登录，并在丢弃旧的刷新令牌之前保存新的。',
    when: '刷新令牌已经用过',
  },
  logout_token_invalid: {
    cause: '后端通道注销（back-channel logout）的令牌缺少某个声明，含有不允许的声明，或者是 ID 令牌。',
    fix: '原样发送提供方的注销令牌（OpenID Connect Back-Channel Logout）。',
    when: '发送的是 ID 令牌',
  },
  issuer_unavailable: {
    cause: 'Souk 无法取得签发方的发现文档或密钥，或者它们无效。',
    fix: '检查 Souk 能否访问签发方的发现文档和密钥。',
    when: '签发方没有响应',
  },
  sign_in_not_started: {
    cause: '浏览器从提供方返回时，没有已开始的登录的 Cookie：换了浏览器、刷新了页面，或者超过了几分钟。',
    fix: '重新开始登录，并在同一个浏览器中完成。',
    when: '登录此前已完成',
  },
  sign_in_state_wrong: {
    cause: '响应的 `state` 属于另一次登录，例如在第二个标签页中开始的登录。',
    fix: '重新开始登录，只用一个标签页。',
    when: '此后另一个标签页又开始了登录',
  },
  authorization_refused: {
    cause: '提供方返回的是错误而不是 code：用户取消了登录，或者无权使用这个客户端。',
    fix: '在提供方用允许使用 Souk 的账号登录。',
    when: '提供方拒绝了用户',
  },
  authorization_code_refused: {
    cause: '提供方没有兑换 code：它已过期，或者 client ID、client secret 或重定向 URI 与在那里登记的不同。',
    fix: '重新开始登录。如果再次失败，请检查 client ID、client secret 和重定向 URI。',
    when: 'client secret 有误',
  },
  authorization_response_invalid: {
    cause: '提供方返回的内容缺少一部分，或者来自另一个签发方。',
    fix: '重新开始登录。如果再次失败，请检查提供方和中间的代理。',
    when: '响应中没有 code',
  },
  userinfo_refused: {
    cause: '提供方不允许这个客户端访问它的 userinfo 端点，或者不允许使用所配置的 scope。',
    fix: '在提供方为客户端开放所配置的 scope，或者去掉它不可使用的 scope。',
    when: '客户端不能读取 userinfo',
  },
  userinfo_invalid: {
    cause: 'userinfo 端点返回的声明不是 Souk 可以信任的。',
    fix: '检查提供方的 userinfo 端点：它必须为同一个用户返回 JSON，或由提供方的密钥签名的 JWT。',
    when: '声明属于另一个用户',
  },
  id_token_nonce_wrong: {
    cause: 'ID 令牌中的 `nonce` 属于另一次登录，因此令牌可能是被注入的。',
    fix: '重新开始登录。如果再次出现，请检查提供方是否原样返回 `nonce`。',
    when: 'ID 令牌来自更早的一次登录',
  },
  issuer_exists: {
    cause: '签发方由名称和受众共同标识，而这一组合已受信任。',
    fix: '修改已有的签发方，或者先移除它，再重新添加。',
    when: '签发方已受信任',
  },
  issuer_not_found: {
    cause: '签发方在此期间已被移除，或者编号有误。',
    fix: '重新加载签发方列表；这个签发方已被移除。',
    when: '签发方已被移除',
  },
  issuer_limit_reached: {
    cause: '本安装信任的签发方数量已达上限。',
    fix: '移除一个不再有用户通过它登录的签发方。',
    when: '已达上限',
  },
  sign_in_failed: {
    cause: '用户名不存在，或者密码错误。Souk 不说明是哪一种。',
    fix: '检查用户名和密码。管理员可以创建密码重置链接。',
    when: '密码错误',
  },
  account_disabled: {
    cause: '有权管理该账号的人已将它停用，因此它的密码和 API 密钥都不能使用。',
    fix: '请管理员或项目的所有者在“项目成员”中启用该账号。',
    when: '账号已停用',
  },
  account_suspended: {
    cause: '账号在提供方登录，而最近一次登录中没有任何可以使用控制台的用户组。',
    fix: '在提供方用可以使用控制台的用户组登录；API 密钥、会话和角色随即恢复。管理员可以用 `souk sign-on restore` 恢复账号。',
    when: '账号已暂停',
  },
  session_not_found: {
    cause: '要结束的会话已经结束：退出登录、过期，或由另一位管理员结束。',
    fix: '会话已经结束。请重新加载会话列表。',
    when: '会话已结束',
  },
  csrf_invalid: {
    cause: '带有会话 Cookie 的请求缺少 `X-Souk-CSRF` 请求头，或者它的值来自以前的会话。',
    fix: '重新加载页面。脚本应使用服务账号，而不是会话。',
    when: '缺少 X-Souk-CSRF 请求头',
  },
  second_factor_required: {
    cause: '密码正确，但会话还需要账号的第二因素。',
    fix: '用通行密钥、一次性代码或恢复码完成登录。',
    when: '尚未输入第二因素',
  },
  factor_enrolment_required: {
    cause: '管理员要求所有人使用第二因素，而账号还没有。',
    fix: '在个人资料中添加通行密钥或验证器应用。',
    when: '账号没有第二因素',
  },
  factor_missing: {
    cause: '操作用来保护或重置第二因素，而账号没有第二因素。',
    fix: '先为账号添加通行密钥或验证器应用。',
    when: '账号没有第二因素',
  },
  last_factor: {
    cause: '本安装要求第二因素，而这个请求会移除账号唯一的第二因素。',
    fix: '先添加另一个第二因素，再移除这一个。',
    when: '账号没有其他第二因素',
  },
  totp_exists: {
    cause: '一个账号最多有一个验证器应用，而这个账号已经有了。',
    fix: '先在个人资料中移除当前的验证器应用。',
    when: '账号已有验证器应用',
  },
  totp_not_started: {
    cause: '收到代码时没有已开始的添加流程，或者该流程已过期。',
    fix: '重新开始添加验证器应用；二维码只在很短的时间内有效。',
    when: '没有开始添加',
  },
  totp_code_wrong: {
    cause: '六位数字与验证器应用当前时段的代码不符，往往是因为手机显示的是另一个账号，或者手机时钟不准。',
    fix: '输入当前的代码，并检查手机的时钟是否准确。',
    when: '代码属于另一个账号',
  },
  totp_code_used: {
    cause: '这个一次性代码已经用于登录或确认。每个代码只能使用一次。',
    fix: '等待应用显示下一个代码，最多 30 秒。',
    when: '代码已经用过',
  },
  recovery_code_wrong: {
    cause: '恢复码输入有误、已经用过，或者已被新的一组取代。',
    fix: '使用另一个恢复码。每个恢复码只能使用一次。',
    when: '恢复码已经用过',
  },
  passkey_not_found: {
    cause: '通行密钥在此期间已被移除，或者属于另一个账号。',
    fix: '重新加载通行密钥列表；这个通行密钥已被移除。',
    when: '通行密钥已被移除',
  },
  passkey_unknown: {
    cause: '浏览器用来应答的通行密钥不属于这个账号。',
    fix: '选择一个已添加到该账号的通行密钥。',
    when: '通行密钥属于另一个账号',
  },
  passkey_exists: {
    cause: '应答的设备或密钥已经注册到这个账号。',
    fix: '这台设备已经可以登录。请选择另一台设备或另一个密钥。',
    when: '设备已注册',
  },
  passkey_limit_reached: {
    cause: '账号的通行密钥数量已达上限。',
    fix: '在个人资料中移除一个不再使用的通行密钥。',
    when: '账号已达上限',
  },
  passkey_challenge_invalid: {
    cause: '通行密钥应答的挑战已过期、已经用过，或者来自另一个会话。',
    fix: '重新开始。每个挑战只能使用一次，有效时间很短。',
    when: '挑战已过期',
  },
  passkey_origin_wrong: {
    cause: '通行密钥被用在创建它时以外的地址上。',
    fix: '在 `SOUK_PUBLIC_URL` 的地址打开控制台，通行密钥就是在那里创建的。',
    when: '在另一个地址打开了控制台',
  },
  passkey_invalid: {
    cause: '通行密钥的签名或数据无法通过验证，例如没有用 PIN 或指纹验证本人。',
    fix: '重试，或使用其他第二因素。验证设备可能不支持服务器的要求。',
    when: '验证设备没有验证本人',
  },
  step_up_required: {
    cause: '这个操作受保护，而操作者在最近几分钟内没有确认身份。',
    fix: '用密码或第二因素确认身份，然后重新发送请求。',
    when: '上一次确认已超过十分钟',
  },
  confirmation_refused: {
    cause: '账号没有用来确认的这种方式，例如密码登录已被关闭。',
    fix: '用账号具有的方式确认：`data.methods` 列出了这些方式。',
    when: '账号没有这种方式',
  },
  password_wrong: {
    cause: '请求中的当前密码不是该账号的密码。',
    fix: '输入账号的当前密码。如果忘记了，请申请密码重置链接。',
    when: '当前密码错误',
  },
  password_weak: {
    cause: '新密码太短，或者在攻击者首先尝试的密码列表中。',
    fix: '换一个更长的密码，或几个词的组合，并且不在已知密码的列表中。',
    when: '密码太容易被猜到',
  },
  password_sign_in_off: {
    cause: '管理员已关闭密码登录，因此账号只能在提供方登录。',
    fix: '在登录页面选择你所在公司的提供方。',
    when: '密码登录已关闭',
  },
  password_reset_not_found: {
    cause: '密码重置链接只能使用一次，有效期为一小时，新链接创建后旧链接即失效。',
    fix: '申请新的密码重置链接，并在一小时内使用。',
    when: '链接已超过一小时',
  },
  sign_on_provider_exists: {
    cause: '已有使用这个签发方的单点登录提供方，而一个签发方只能作为一个提供方。',
    fix: '修改已有的提供方，或者先移除它，再重新添加。',
    when: '签发方已是提供方',
  },
  sign_on_provider_not_found: {
    cause: '提供方在此期间已被移除，或者编号有误。',
    fix: '重新加载提供方列表；这个提供方已被移除。',
    when: '提供方已被移除',
  },
  sign_on_provider_limit_reached: {
    cause: '本安装的单点登录提供方数量已达上限。',
    fix: '移除一个不再使用的单点登录提供方。',
    when: '已达上限',
  },
  signs_on_at_provider: {
    cause: '账号在提供方登录，没有密码，因此无法重置密码。',
    fix: '在提供方恢复此人的访问权限。只有移除提供方之后，账号才能有密码。',
    when: '账号在提供方登录',
  },
  sign_on_not_allowed: {
    cause: '提供方发送了此人的用户组，但没有一个对应到角色。',
    fix: '申请加入管理员已允许的用户组之一。在用这样的用户组登录之前，账号处于暂停状态。',
    when: '账号的用户组都没有角色',
  },
  sign_on_groups_missing: {
    cause: '提供方的令牌中没有包含用户组的声明。',
    fix: '让提供方在消息指出的声明中发送账号的用户组，然后重新登录。在此之前账号处于暂停状态：不会删除任何内容。',
    when: '令牌中没有用户组',
  },
  sign_on_groups_unreadable: {
    cause: '包含用户组的声明不是文本列表，或者指向别处。',
    fix: '让提供方在消息指出的声明中以 JSON 文本列表发送用户组，然后重新登录。没有任何更改。对于属于很多用户组的成员，Microsoft Entra ID 会把用户组放在别处：请选择 _Groups assigned to the application_。',
    when: '用户组不是列表',
  },
  sign_on_not_working: {
    cause: '只有当某位管理员可以不用密码登录时，才能关闭密码登录。',
    fix: '请一位管理员先通过提供方登录一次，这样关闭密码后仍有人可以登录。',
    when: '没有管理员在提供方登录过',
  },
  setup_closed: {
    cause: '设置链接已经用过、来自更早的一次启动，或者控制台已有管理员。',
    fix: '请登录。在没有管理员时，服务器每次启动都会输出一个有效的链接。',
    when: '控制台已有管理员',
  },
  username_taken: {
    cause: '本安装的另一个账号已使用这个用户名。',
    fix: '换一个用户名：用户名在本安装中必须唯一。',
    when: '用户名已被占用',
  },
  last_owner: {
    cause: '这一更改会使项目没有可以管理它的所有者。',
    fix: '先在“项目成员”中把另一位成员设为所有者。',
    when: '调用者是唯一的所有者',
  },
  last_administrator: {
    cause: '这一更改会使安装没有管理员。',
    fix: '先在“控制台账号”中把另一个账号设为管理员。',
    when: '账号是唯一的管理员',
  },
  administrator_missing: {
    cause: '如果没有可以登录的管理员，停用管理员令牌之后就无法管理安装。',
    fix: '停用管理员令牌之前，先创建一位可以登录的管理员。',
    when: '没有管理员可以登录',
  },
  own_account: {
    cause: '这个操作只用于他人的账号，以免误停用或误重置自己的账号。',
    fix: '请另一位管理员来做，或者在“个人资料”中更改自己的账号。',
    when: '这是调用者自己的账号',
  },
  already_member: {
    cause: '接受邀请的账号已是项目的成员。',
    fix: '请改为在“项目成员”中更改该成员的角色。',
    when: '账号已是成员',
  },
  account_not_found: {
    cause: '没有这个编号的账号，例如编号输入有误，或者属于另一套安装。',
    fix: '检查账号的编号：`souk accounts list` 会列出它们。',
    when: '编号属于另一套安装',
  },
  member_not_found: {
    cause: '账号已退出项目、已被移除，或者从未是项目的成员。',
    fix: '重新加载成员列表；这位成员已退出。',
    when: '成员已退出',
  },
  invitation_not_found: {
    cause: '邀请只能使用一次，到期即失效。所有者可以提前撤销它。',
    fix: '请项目的所有者发送新的邀请。',
    when: '邀请已经用过',
  },
  mail_not_configured: {
    cause: '没有设置 `SOUK_SMTP_URL`，因此本安装无法发送邮件。',
    fix: '请运营方设置 `SOUK_SMTP_URL` 和 `SOUK_MAIL_FROM`，或者自行转交链接。',
    when: '没有设置 SOUK_SMTP_URL',
  },
  mail_failed: {
    cause: '无法连接邮件服务器，或者它拒绝了发件人或收件人。',
    fix: '查看消息中的原因，并检查邮件服务器的设置和日志：`souk mail status`。',
    when: '邮件服务器拒绝了发件人',
  },
  email_missing: {
    cause: '账号没有电子邮箱地址，或者没有打开确认地址的链接。',
    fix: '在个人资料中添加电子邮箱地址并确认它。',
    when: '账号没有已确认的地址',
  },
  email_taken: {
    cause: '另一个账号已确认了这个地址。一个地址只属于一个账号。',
    fix: '使用另一个地址，或者登录拥有这个地址的账号。',
    when: '地址属于另一个账号',
  },
  email_confirmation_not_found: {
    cause: '链接已经打开过、已过期，或者已被新的链接取代。',
    fix: '在个人资料中重新发送确认链接。',
    when: '链接已经打开过',
  },
  user_scope_not_found: {
    cause: '数据范围（scope）在此期间已被移除，或者从未存在。',
    fix: '重新加载数据范围列表；这个数据范围已被移除。',
    when: '数据范围已被移除',
  },
  user_scope_limit_reached: {
    cause: '本安装自有的数据范围（scope）数量已达上限。',
    fix: '移除一个不再有小程序使用的数据范围。',
    when: '已达上限',
  },
  host_function_not_found: {
    cause: '宿主函数，或这个小程序对它的授权，在此期间已被移除。',
    fix: '重新加载函数列表；这个函数或小程序的授权已被移除。',
    when: '函数已被移除',
  },
  host_function_limit_reached: {
    cause: '本安装声明的宿主函数数量已达上限。',
    fix: '移除一个不再有小程序调用的函数。',
    when: '已达上限',
  },
  custom_event_not_found: {
    cause: '小程序没有声明这个事件，或者它在此期间已被移除。',
    fix: '先声明事件；或者重新加载列表，它已被移除。',
    when: '事件已被移除',
  },
  custom_event_limit_reached: {
    cause: '小程序声明的事件、字段或字段值的数量已达上限。',
    fix: '移除一个不再上报的事件，或者一些字段值。',
    when: '已达上限',
  },
  custom_event_in_use: {
    cause: '小程序的告警规则正在监视这个事件，移除之后它们再也不会收到它。',
    fix: '删除消息指出的告警规则，或者为它们换一个事件或指标；然后再移除事件。',
    when: '有告警规则监视这个事件',
  },
  funnel_not_found: {
    cause: '漏斗在此期间已被删除，或者从未存在。',
    fix: '重新加载漏斗列表；这个漏斗已被删除。',
    when: '漏斗已被删除',
  },
  funnel_limit_reached: {
    cause: '小程序的漏斗数量已达上限。',
    fix: '删除一个不再需要的漏斗。',
    when: '已达上限',
  },
  alert_rule_not_found: {
    cause: '告警规则在此期间已被移除，或者属于另一个小程序。',
    fix: '重新加载告警规则列表；这条规则已被移除。',
    when: '规则已被移除',
  },
  alert_rule_limit_reached: {
    cause: '小程序的告警规则数量已达上限。',
    fix: '移除一条不再需要的告警规则。',
    when: '已达上限',
  },
  error_group_not_found: {
    cause: '所选时间段内没有发生这个 JavaScript 错误，或者它的事件已被删除。',
    fix: '选择更长的时间段，或重新加载列表。错误只保留一段时间。',
    when: '错误早于所选时间段',
  },
  error_recording_not_found: {
    cause: '这份录制已超过 14 天，被更新的录制取代，或者它的用户已被抹除。',
    fix: '重新加载列表，或请一位测试人员再次录制这个错误。',
    when: '录制已超过 14 天',
  },
  callback_receiver_not_found: {
    cause: '这个小程序发往该主机的回调从未被停用，或者已经启用。',
    fix: '无需启用：重新加载列表，并检查主机和 appid。',
    when: '发往该主机的回调正常投递',
  },
  replay_not_found: {
    cause: '重新发送属于调用者看不到的项目，或者编号有误。',
    fix: '重新加载“重新发送”的列表，并检查编号。',
    when: '编号有误',
  },
  event_endpoint_not_found: {
    cause: '端点在此期间已被移除，或者编号有误。',
    fix: '重新加载端点列表；这个端点已被移除。',
    when: '端点已被移除',
  },
  event_endpoint_limit_reached: {
    cause: '本安装的端点数量已达上限。',
    fix: '移除一个不再有后端接收事件的端点。',
    when: '已达上限',
  },
  event_endpoint_disabled: {
    cause: '端点由管理员停用，或者在连续五天投递失败之后被停用。',
    fix: '先启用端点：`souk events enable <endpointId>`。',
    when: '端点已停用',
  },
  event_url_refused: {
    cause: 'URL 不是 `https`，或者含有私有 IP 地址。',
    fix: '使用公网地址的 `https` URL。如果接收方在私有网络中，由运营方把它的主机列入 `SOUK_PRIVATE_HOSTS`。',
    when: '地址是私有地址',
  },
  event_delivery_not_found: {
    cause: '投递记录会在一段时间后随事件一起删除，或者编号有误。',
    fix: '选择较新的投递：`souk events deliveries` 会列出它们。',
    when: '投递记录已删除',
  },
  too_many_trades: {
    cause:
      '交易的合计按每一刻钟保存。如果只查询一刻钟的一部分，其中的交易会逐笔相加；升级之后，在合计补齐之前，所有交易都会逐笔相加。这次相加超过了数据库的时限。',
    fix: '让起止时间为 900000 毫秒的整数倍，或者只查询一个小程序。升级之后，请等合计补齐再重试。',
    when: '一刻钟的一部分里创建了一百万笔交易',
  },
  refund_conflict: {
    cause: '已有使用这个 `refundNo` 的退款，但交易或金额不同。',
    fix: '新的退款请使用新的 `refundNo`。要重复请求，请发送完全相同的值。',
    when: '这个编号属于另一笔退款',
  },
  balances_incomplete: {
    cause: '从不保存余额的版本升级之后，或恢复这种版本的备份之后，会有一个任务把账本汇总一次。',
    fix: '几分钟后重试。其间支付和退款照常进行。',
    when: '任务尚未完成账本的汇总',
  },
  provider_account_limit_reached: {
    cause: '商户的支付账户数量已达上限。',
    fix: '修改一个不再使用的支付账户，而不是添加新的。',
    when: '已达上限',
  },
  provider_account_not_found: {
    cause: '支付账户在此期间已被移除，或者编号有误。',
    fix: '重新加载支付账户列表；这个账户已被移除。',
    when: '账户已被移除',
  },
  reconciliation_not_found: {
    cause: '编号有误，或者对账属于调用者看不到的项目。',
    fix: '重新加载对账列表：`souk reconciliations list --project <projectId>`。',
    when: '编号有误',
  },
  feedback_not_found: {
    cause: '消息已在两年后删除，或者属于调用者看不到的项目。',
    fix: '重新加载消息列表，并检查编号。',
    when: '消息已删除',
  },
  record_not_found: {
    cause: '记录在读取列表之后被删除。',
    fix: '重新列出记录：这条记录已被删除。',
    when: '记录已被删除',
  },
  service_account_not_found: {
    cause: '服务账号在此期间已被移除，或者属于另一个项目。',
    fix: '重新加载服务账号列表；这个服务账号已被移除。',
    when: '服务账号已被移除',
  },
  service_account_name_taken: {
    cause: '服务账号的名称在项目中必须唯一，而这个名称已被使用。',
    fix: '换一个名称，或者移除使用这个名称的服务账号。',
    when: '名称已被使用',
  },
  service_account_limit_reached: {
    cause: '项目的服务账号数量已达上限。',
    fix: '移除一个其程序已不再运行的服务账号。',
    when: '已达上限',
  },
  blocked_by_operator: {
    cause: '管理员已封禁这个账号、项目、小程序或版本，原因显示在控制台中。',
    fix: '在控制台中查看原因，所有者可以在那里申诉；封禁由管理员解除。',
    when: '小程序被封禁',
  },
  block_not_found: {
    cause: '编号有误，或者封禁属于调用者看不到的项目。',
    fix: '重新加载封禁列表，并检查封禁的编号。',
    when: '编号有误',
  },
  block_lifted: {
    cause: '在此期间，管理员已解除封禁。',
    fix: '无需再做什么：重新加载页面，封禁已不再有效。',
    when: '封禁已解除',
  },
  appeal_exists: {
    cause: '一个封禁同时只能有一次申诉，而这次申诉还没有答复。',
    fix: '等待管理员的答复。',
    when: '申诉正在等待答复',
  },
  appeal_missing: {
    cause: '另一位管理员已答复申诉，或者没有申诉。',
    fix: '重新加载队列；另一位管理员已经答复。',
    when: '申诉已答复',
  },
  appeal_unavailable: {
    cause: '这类封禁在其指出的问题改正后即结束，因此不能申诉。',
    fix: '改正版本并重新提交，或联系管理员。',
    when: '封禁针对的是版本',
  },
  project_not_archived: {
    cause: '只有已归档的项目才能恢复或删除，而这个项目正在使用。',
    fix: '先在项目设置中归档项目。',
    when: '项目正在使用',
  },
  project_not_empty: {
    cause: '项目中还有小程序，删除项目会使它们的交易和用户一并消失。',
    fix: '先删除项目中的小程序。',
    when: '项目中有小程序',
  },
  key_not_found: {
    cause: '密钥环中没有这个编号的主密钥，例如它已作废。',
    fix: '用 `souk keys status` 列出主密钥，并检查编号。',
    when: '主密钥已作废',
  },
  key_in_use: {
    cause: '数据库中的密钥仍用这个主密钥加密。',
    fix: '等待轮换用新的主密钥重新加密所有内容。',
    when: '轮换尚未完成',
  },
  key_rotation_running: {
    cause: '此前已开始一次轮换，现在正在重新加密密钥。',
    fix: '等待轮换完成：`souk keys status` 会显示进度。',
    when: '轮换正在进行',
  },
  key_ring_fixed: {
    cause: '`SOUK_MASTER_KEY` 固定了主密钥，因此服务器无法添加。',
    fix: '要轮换主密钥，请把它们保存在文件中，而不是 `SOUK_MASTER_KEY` 中。',
    when: '设置了 SOUK_MASTER_KEY',
  },
  backup_passphrase_weak: {
    cause: '`SOUK_BACKUP_PASSPHRASE` 或输入的口令短于 12 个字符。',
    fix: '使用至少 12 个字符的口令，例如 `openssl rand -hex 24` 的输出。',
  },
  backup_passphrase_wrong: {
    cause: '备份是用另一个口令加密的。',
    fix: '使用创建备份时的口令。口令无法找回。',
  },
  backup_unreadable: {
    cause: '文件不存在、不是备份，或者运行命令的用户无权读取。',
    fix: '检查文件的路径和权限。',
  },
  backup_damaged: {
    cause: '文件缺少字节或字节被改动，例如复制时中断。',
    fix: '使用备份的另一份副本，复制之后核对校验和。',
  },
  backup_version_unsupported: {
    cause: '备份的数据库结构比这个版本的 Souk 新，或者旧得无法读取。',
    fix: '用消息指出的 Souk 版本恢复，然后升级。',
  },
  backup_key_wrong: {
    cause: '数据库用另一个主密钥加密，而不是提供给命令的那个。',
    fix: '使用备份所属安装的主密钥。',
  },
  copy_circular_references: {
    cause: '数据库中有不属于 Souk 的表，它们循环地相互引用。',
    fix: '如果消息指出的表不属于 Souk，请删除它们之间的外键。循环引用的表无法按任何顺序填充。',
  },
  backup_exists: {
    cause: '已有同名文件，而备份从不覆盖文件。',
    fix: '换一个文件名；如果不需要原有的文件，也可以先删除它。',
  },
  backup_unwritable: {
    cause: '文件夹不存在、只读，或者它所在的磁盘已满。',
    fix: '释放磁盘空间，并检查文件夹的权限。',
  },
  partition_not_found: {
    cause: '没有这个名称的分区：名称输入有误，或者分区已归档或已删除。',
    fix: '用 `souk partitions list` 列出分区的名称。',
  },
  partition_in_use: {
    cause: '此刻另一个进程正在归档、恢复或备份这个分区。',
    fix: '等没有其他进程归档、恢复或备份这个分区时重试。消息指出了是什么在占用它。',
  },
  archive_unfinished: {
    cause: '这个月还没有结束，或者其中有仍可能变化的交易。',
    fix: '等待分区中的所有交易完成；消息列出了未完成的部分。',
  },
  archive_unwritable: {
    cause: '`SOUK_ARCHIVE_DIR` 的文件夹只读，或者它所在的磁盘已满。',
    fix: '释放磁盘空间，并检查文件夹的权限。',
  },
  archive_damaged: {
    cause: '归档文件与写入时记录的 SHA-256 不符。',
    fix: '用副本恢复归档文件，并用 `souk partitions verify` 检查。',
  },
  restore_not_empty: {
    cause: '数据目录或数据库中已有安装，恢复会覆盖它。',
    fix: '恢复到空的数据目录和空的数据库。',
  },
  restore_mismatch: {
    cause: '恢复之后的数据行、余额或审计链与备份记录的不同。',
    fix: '没有恢复任何内容。请用备份的另一份副本重试，并报告这条消息。',
  },
  restore_failed: {
    cause: '数据库拒绝了某一行，或者与它的连接中断。',
    fix: '没有恢复任何内容。改正消息指出的问题，然后重试。',
  },
  recover_not_needed: {
    cause: '密钥环可以解密数据库中的所有内容，因此没有需要找回的。',
    fix: '无需操作：主密钥是完整的，`souk keys status` 会显示这一点。',
  },
  recover_key_present: {
    cause: '使用这个数据库运行的服务器有主密钥，因此不必放弃其中的密钥。',
    fix: '改为从运行该服务器的机器复制主密钥。',
  },
  installation_moved: {
    cause: '这个数据库的数据已迁移到另一个数据库，在这里的更改会丢失。',
    fix: '使用安装迁移到的那个数据库。',
  },
  installation_not_moved: {
    cause: '安装没有迁移过，因此没有可以撤销的。',
    fix: '无需操作：安装就在设置所指的数据库上。',
  },
  move_target_unusable: {
    cause: '目标数据库不是空的、早于 PostgreSQL 15、编码不是 UTF8，或者该角色无权写入。',
    fix: '改正消息指出的问题：版本、权限、编码，或者数据库不是空的。',
  },
  move_failed: {
    cause: '无法连接其中一个数据库，某个事务用时太长，或者另一次迁移正在进行。',
    fix: '安装继续在原来的数据库上运行。改正消息指出的问题，然后重试。',
  },
  database_upgrade_failed: {
    cause: '复制到新集群失败，例如磁盘已满。',
    fix: '原来的数据库没有改变。改正消息指出的问题，然后重试。',
  },
  database_not_upgraded: {
    cause: '当前集群旁边没有旧版本的集群。',
    fix: '无需操作：数据库没有升级过，或者旧的数据库已被丢弃。',
  },
  database_rollback_refused: {
    cause: '服务器已向新集群写入数据，而旧集群没有这些更改。',
    fix: '只有可以放弃此后写入的数据时，才加上 `--discard-changes`。',
  },
  copy_mismatch: {
    cause: '副本中的数据行、余额或审计链与原来的不同。',
    fix: '原来的数据没有改变。请重试；如果再次发生，请报告这条消息。',
  },
  storage_damaged: {
    cause: '存储桶中缺少某个对象，或者它的字节与存入时不同。',
    fix: '用 `souk storage verify` 列出缺失和损坏的文件，并从备份恢复它们。',
  },
  storage_busy: {
    cause: '另一个 `souk storage move` 正在处理同样的文件。',
    fix: '等待另一个命令完成：`souk storage status` 会显示还剩多少文件。',
  },
}
