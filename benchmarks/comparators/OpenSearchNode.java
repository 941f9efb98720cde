// One OpenSearch node of the jars that Maven has, without an installation: the node itself with the
// plugin that speaks HTTP, on the loopback interface only.

import java.util.List;
import java.util.Map;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.transport.Netty4Plugin;

public final class OpenSearchNode extends Node {
    private OpenSearchNode(Environment environment) {
        super(environment, List.of(Netty4Plugin.class), false);
    }

    public static void main(String[] arguments) throws Exception {
        Settings settings = Settings.builder()
            .put("path.home", arguments[0])
            .put("http.port", arguments[1])
            .put("transport.port", "0")
            .put("network.host", "127.0.0.1")
            .put("http.type", "netty4")
            .put("transport.type", "netty4")
            .put("discovery.type", "single-node")
            // How full the disk is, is no matter of a short run.
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .build();
        Node node = new OpenSearchNode(
            InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), null, () -> "bench"));
        node.start();
        Thread.currentThread().join();
    }
}
