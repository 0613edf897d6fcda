//! What a crossbar counts, for each message class.

heddle_engine::counters! {
    /// Packets of one message class.
    pub struct CrossbarCounters {
        address_packets: "packets", "Packets without data.";
        data_packets: "packets", "Packets with data.";
        address_flits: "flits", "Flits of packets without data.";
        data_flits: "flits", "Flits of packets with data, the header's included.";
        bytes: "bytes", "Bytes moved, headers included.";
        busy: "cycles", "Cycles that outputs were moving flits, summed over the outputs.";
        waited: "cycles", "Cycles that packets waited at inputs for their turn, an output or a credit, summed over the packets.";
        blocked: "packets", "Packets that could not start when they came to the head of their input.";
    }
}
