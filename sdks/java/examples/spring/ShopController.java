import dev.souk.Souk;
import dev.souk.SoukApiException;
import dev.souk.model.RefundParameters;
import dev.souk.model.SendActivityParameters;
import dev.souk.model.SendNotifyParameters;
import dev.souk.model.TradeParameters;
import dev.souk.spring.CallbackHandler;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class ShopController {
    public static class SignIn {
        public String code;
    }

    public static class Order {
        public String id;
        public long cents;
        public String openId;
    }

    public static class Refund {
        public String id;
        public long cents;
    }

    public static class Message {
        public String openId;
        public String text;
    }

    public static class Delivery {
        public String id;
        public String openId;
        public String text;
    }

    private final Souk souk =
            new Souk(System.getenv("SOUK_URL"), System.getenv("SOUK_APPID"), System.getenv("SOUK_SECRET"));
    private final String shopUrl = System.getenv("SHOP_URL");

    /** Statuses of trades and refunds that callbacks have brought. In a real shop, a table with a unique notifyId. */
    private final Map<String, Object> received = new ConcurrentHashMap<>();

    private final CallbackHandler payments = new CallbackHandler(
            souk.callbacks(), payment -> received.put(payment.tradeNo(), payment.transactionStatus()));
    private final CallbackHandler refunds = CallbackHandler.forRefunds(
            souk.callbacks(), refund -> received.put(refund.refundNo(), refund.refundStatus()));

    @PostMapping("/souk/payments")
    public ResponseEntity<String> receivePayment(InputStream body, @RequestHeader Map<String, String> headers)
            throws IOException {
        return payments.handle(body, headers);
    }

    @PostMapping("/souk/refunds")
    public ResponseEntity<String> receiveRefund(InputStream body, @RequestHeader Map<String, String> headers)
            throws IOException {
        return refunds.handle(body, headers);
    }

    /** The page has called neu.login(). */
    @PostMapping("/sign-in")
    public Map<String, Object> signIn(@RequestBody SignIn request) {
        var token = souk.accessToken(request.code);
        var user = souk.userInfo(token.accessToken());
        return Map.of("openId", user.openId(), "nickName", user.nickName());
    }

    /** The page calls neu.requestPayment() with the tradeNo. */
    @PostMapping("/orders")
    public Map<String, Object> createOrder(@RequestBody Order order) {
        var trade = souk.trade(new TradeParameters()
                .outTradeNo(order.id)
                .notifyUrl(shopUrl + "/souk/payments")
                .amount(order.cents)
                .currency("SAR")
                .openId(order.openId));
        return Map.of("tradeNo", trade.tradeNo());
    }

    @GetMapping("/orders/{tradeNo}")
    public Map<String, Object> showOrder(@PathVariable String tradeNo) {
        var trade = souk.tradedetail(tradeNo);
        return state(trade.tradeNo(), trade.transactionStatus());
    }

    @PostMapping("/orders/{tradeNo}/close")
    public Map<String, Object> closeOrder(@PathVariable String tradeNo) {
        return Map.of("closed", souk.tradeclose(tradeNo));
    }

    @PostMapping("/orders/{tradeNo}/refunds")
    public Map<String, Object> refundOrder(@PathVariable String tradeNo, @RequestBody Refund refund) {
        var requested = souk.refund(new RefundParameters()
                .tradeNo(tradeNo)
                .outRefundNo(refund.id)
                .amount(refund.cents)
                .notifyUrl(shopUrl + "/souk/refunds"));
        return Map.of("refundNo", requested.refundNo());
    }

    @GetMapping("/refunds/{refundNo}")
    public Map<String, Object> showRefund(@PathVariable String refundNo) {
        var refund = souk.refunddetail(refundNo);
        return state(refund.refundNo(), refund.refundStatus());
    }

    @PostMapping("/messages")
    public Map<String, Object> sendMessage(@RequestBody Message message) {
        var sent = souk.sendNotify(new SendNotifyParameters()
                .openIds(List.of(message.openId))
                .title("Your order")
                .text(message.text)
                .navigateType("1")
                .language("en_US"));
        return Map.of("sent", sent);
    }

    @PostMapping("/deliveries")
    public Map<String, Object> showDelivery(@RequestBody Delivery delivery) throws IOException {
        var icon = souk.fileUpload(Files.readAllBytes(Path.of("icon.png")), "icon.png");
        var shown = souk.sendActivity(new SendActivityParameters()
                .activityId(delivery.id)
                .openIds(List.of(delivery.openId))
                .color("FF8800")
                .templateId("delivery")
                .title("On its way")
                .text(delivery.text)
                .iconUrl(icon.url())
                .status(1)
                .validityTime(600)
                .language("en_US"));
        return Map.of("shown", shown);
    }

    @ExceptionHandler
    public ResponseEntity<Map<String, Object>> explain(SoukApiException error) {
        System.getLogger("shop").log(System.Logger.Level.ERROR, error.getMessage());
        return ResponseEntity.status(error.status()).body(Map.of("error", String.valueOf(error.code())));
    }

    private Map<String, Object> state(String number, Object status) {
        var state = new HashMap<String, Object>();
        state.put("status", status);
        state.put("received", received.get(number));
        return state;
    }
}
